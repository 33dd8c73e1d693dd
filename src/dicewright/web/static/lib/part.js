// Parts of the page are loaded when they are first needed. What does not come is told in words; a browser may not ask for it
// again before the page is loaded anew.
export async function part(loading) {
  try {
    return await loading();
  } catch (error) {
    console.error(error);
    throw new Error("A part of the page did not load. Reload the page to try again; nothing is lost.", { cause: error });
  }
}
