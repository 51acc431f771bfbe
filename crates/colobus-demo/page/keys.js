// Which keys mean which command, and what native input events ask for.

const PLAIN = {
  Tab: 'indent',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'line-start',
  End: 'line-end',
};

const WITH_CONTROL = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
  y: 'redo',
  z: 'undo',
  Home: 'document-start',
  End: 'document-end',
};

const INPUT = {
  insertParagraph: 'break',
  insertLineBreak: 'break',
  deleteContentBackward: 'delete-backward',
  deleteContentForward: 'delete-forward',
  deleteByCut: 'delete-backward',
  formatBold: 'bold',
  formatItalic: 'italic',
  formatUnderline: 'underline',
  historyUndo: 'undo',
  historyRedo: 'redo',
};

/** The command of a key event, or undefined when the key is the browser's (or an input event follows). */
export function commandOfKey({ key, ctrlKey, metaKey, shiftKey, altKey }) {
  if (altKey) return undefined;
  if (!ctrlKey && !metaKey) return key === 'Tab' && shiftKey ? 'outdent' : PLAIN[key];
  const letter = key.length === 1 ? key.toLowerCase() : key;
  return letter === 'z' && shiftKey ? 'redo' : WITH_CONTROL[letter];
}

export const commandOfInput = (inputType) => INPUT[inputType];
