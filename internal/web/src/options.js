// The options of a combobox that fit a text.

const most = 100; // options in a list: a reader types on rather than scroll through more
const fold = (text) => text.normalize("NFC").toLowerCase();

// matching returns the options that have the text anywhere in their value, in any case. Those that
// begin with it come first, otherwise the order stays.
export function matching(options, text) {
  const wanted = fold(text.trim());
  const begin = [],
    contain = [];
  for (const option of options) {
    const at = fold(option.value).indexOf(wanted);
    if (at === 0) begin.push(option);
    else if (at > 0) contain.push(option);
  }
  return [...begin, ...contain].slice(0, most);
}

// has reports whether a value is one of the options, in any case.
export const has = (options, value) =>
  options.some((option) => fold(option.value) === fold(value.trim()));
