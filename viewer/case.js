// What a search ran, in words: a sequence, an interaction, or a session with a mistake.

/** `type a, (bold ‖ type b)` */
function caseText({ sequence, interaction, session }) {
  const listed = (names, separator) => names.map((name, index) => [index ? separator : "", foreign(name)]);
  if (sequence) return listed(sequence.actions, ", ");
  if (session) return foreign(session.mistake);
  return [interaction.prefix.map((name) => [foreign(name), ", "]), "(", listed(interaction.concurrent, " ‖ "), ")"];
}

/** What findings of one root cause have in common, without brackets. */
function caseTitle({ interaction, ...other }) {
  return interaction ? interaction.concurrent.map((name, client) => [client ? " ‖ " : "", foreign(name)]) : caseText(other);
}
