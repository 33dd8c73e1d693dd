#!/usr/bin/env perl
# Plays Bluff with one die each by luck and counting: a program for dicewright's engine protocol, in Perl.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # every answer at once
while (my $line = <STDIN>) {
    my $question = decode_json($line);
    if ($question->{ask} eq 'hello') {
        answer({protocol => 1, name => 'counts its dice'});
    }
    elsif ($question->{ask} eq 'action') {
        answer(choose($question));
    }
}

sub answer { print encode_json($_[0]), "\n" }

# Calls a bid of two that the own die does not help; else bids the own face, or the least that is left, now and then.
sub choose {
    my ($question) = @_;
    my ($mine, $said) = @{$question->{data}}{qw(mine said)};
    my %allowed = map { $_ => 1 } @{$question->{actions}};
    my $last = @$said ? $said->[-1] : undef;
    if ($last && $last->{quantity} > 1 && !grep { $_ == $last->{face} || $_ == 6 } @$mine) {
        return {action => 'call'};
    }
    my $honest = "1x$mine->[0]";
    return {mix => {$honest => 0.75, '1x6' => 0.25}} if $allowed{$honest} && $allowed{'1x6'} && $mine->[0] != 6;
    return {action => $honest} if $allowed{$honest};
    return {action => $allowed{call} ? 'call' : $question->{actions}[0]};
}
