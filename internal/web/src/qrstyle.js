// How QR codes look, remembered by the browser from link to link.
const key = "terse-qr";
export const maxLogo = 200 * 1024; // characters of its data URL: storage has 5 MB for all
export const plain = {
  color: "#000000",
  background: "#ffffff",
  margin: 4,
  level: "M",
  medium: false,
  size: 1024,
  logo: "",
};

// read returns what text says, as far as that is valid.
export function read(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    // Something else wrote it.
  }
  const valid = {
    color: (value) => /^#[0-9a-f]{6}$/.test(value),
    background: (value) => /^#[0-9a-f]{6}$/.test(value),
    margin: (value) => Number.isInteger(value) && value >= 0 && value <= 20,
    level: (value) => /^[LMQH]$/.test(value),
    medium: (value) => typeof value === "boolean",
    size: (value) => [512, 1024, 2048].includes(value),
    logo: (value) => /^data:image\/png;base64,[\w+/=]+$/.test(value) && value.length <= maxLogo,
  };
  return Object.fromEntries(
    Object.entries(plain).map(([name, standard]) => [
      name,
      valid[name](found?.[name]) ? found[name] : standard,
    ]),
  );
}

export function kept() {
  try {
    return read(localStorage.getItem(key));
  } catch {
    return plain; // storage is switched off
  }
}

export function keep(style) {
  try {
    localStorage.setItem(key, JSON.stringify(style));
  } catch {
    // Storage is full or switched off: the next code starts with the defaults.
  }
}
