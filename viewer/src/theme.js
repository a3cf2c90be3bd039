// Light and dark: as the system has it, until someone chooses.

const COLOURS = {
  light: { stage: 0xeceae4, wall: "#8b8578", line: "#5d584e", outline: 0x2a2724 },
  dark: { stage: 0x1d1c1b, wall: "#a39d91", line: "#b8b2a6", outline: 0x100f0e },
};

export class Theme {
  /** @param {(colours: object) => void} apply */
  constructor(apply) {
    this.apply = apply;
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.name = system.matches ? "dark" : "light";
    this.chosen = false;
    system.addEventListener("change", () => {
      if (!this.chosen) this.set(system.matches ? "dark" : "light");
    });
    this.set(this.name);
  }

  get colours() {
    return COLOURS[this.name];
  }

  set(name) {
    this.name = name;
    document.documentElement.dataset.theme = name;
    this.apply(this.colours);
  }

  toggle() {
    this.chosen = true;
    this.set(this.name === "dark" ? "light" : "dark");
  }
}
