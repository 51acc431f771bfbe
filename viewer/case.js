// What a search ran, in words: a sequence, an interaction, or a session with a mistake.

/** `type a, (bold ‖ type b)` */
function caseText({ sequence, interaction, session, order, line }) {
  const listed = (names, separator) => names.map((name, index) => [index ? separator : "", foreign(name)]);
  if (sequence) return listed(sequence.actions, ", ");
  if (line) return foreign(line.line);
  if (session) return foreign(session.mistake);
  if (order) return foreign(order.second ? `${order.first} before ${order.second}` : order.first);
  return [interaction.prefix.map((name) => [foreign(name), ", "]), "(", listed(interaction.concurrent, " ‖ "), ")"];
}

/** What findings of one root cause have in common, without brackets. */
function caseTitle({ interaction, ...other }) {
  return interaction ? interaction.concurrent.map((name, client) => [client ? " ‖ " : "", foreign(name)]) : caseText(other);
}
