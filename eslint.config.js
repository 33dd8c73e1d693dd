// The scripts of the page: what a browser would only tell when it gets there.
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import js from "@eslint/js";
import globals from "globals";

function exportsOf(file) {
  const text = readFileSync(file, "utf8");
  const declared = [...text.matchAll(/\bexport (?:async )?(?:const|function|class) (\w+)/g)].map(([, name]) => name);
  const listed = [...text.matchAll(/\bexport ?\{([^}]*)\}/g)].flatMap(([, names]) => names.split(",").map((name) => name.trim().split(" as ").at(-1)));
  return new Set([...declared, ...listed]);
}

// An import of a file, or of a name in it, that is not there leaves a blank page.
const imported = {
  create: (context) => {
    const check = ({ source, specifiers = [] }) => {
      const path = source?.value;
      if (typeof path !== "string" || !path.startsWith(".")) return;
      const file = resolve(dirname(context.filename), path);
      if (!existsSync(file)) return context.report({ node: source, message: `there is no ${path}` });
      const known = exportsOf(file);
      for (const node of specifiers.filter((one) => one.imported && !known.has(one.imported.name))) {
        context.report({ node, message: `there is no ${node.imported.name} in ${path}` });
      }
    };
    return { ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

export default [
  { ignores: ["src/dicewright/web/static/vendor/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["src/dicewright/web/static/**/*.js"],
    languageOptions: { globals: globals.browser },
    plugins: { page: { rules: { imported } } },
    rules: { "page/imported": "error" },
  },
  { files: ["eslint.config.js"], languageOptions: { globals: globals.node } },
];
