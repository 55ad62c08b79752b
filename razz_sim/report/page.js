"use strict";
(() => {
  // The maps of starting hands: a cell that is pointed at or focused is told in full; arrow keys move between cells.
  const tip = document.getElementById("tip");
  for (const cell of document.querySelectorAll(".panel tbody td:not(.blank):not([tabindex])")) cell.tabIndex = -1;
  const cellOf = (event) => event.target.closest?.(".panel tbody td:not(.blank)");
  const show = (cell) => {
    tip.textContent = cell.querySelector("b").textContent;
    tip.hidden = false;
    const at = cell.getBoundingClientRect();
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const above = at.top - tip.offsetHeight - 6;
    tip.style.left = Math.max(8, Math.min(most, at.left + at.width / 2 - tip.offsetWidth / 2)) + "px";
    tip.style.top = (above < 4 ? at.bottom + 6 : above) + "px";
  };
  const hide = () => { tip.hidden = true; };
  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const cell = cellOf(event);
      if (cell) show(cell); else hide();
    });
  }
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, { passive: true, capture: true });
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const step = steps[event.key];
    const cell = step && cellOf(event);
    if (!cell) return;
    event.preventDefault();
    // Rows start on the diagonal, so cells are counted from the right.
    const rows = [...cell.closest("tbody").rows].map((row) => [...row.querySelectorAll("td:not(.blank)")].reverse());
    const row = rows.findIndex((cells) => cells.includes(cell));
    const next = rows[row + step[0]]?.[rows[row].indexOf(cell) - step[1]];
    if (!next) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus({ preventScroll: false });
    show(next);
  });
  // Only boxes with something to scroll to are stops of the Tab key.
  const boxes = document.querySelectorAll(".scroll[aria-label], pre");
  const mark = () => {
    for (const box of boxes) {
      const more = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      box.tabIndex = more ? 0 : -1;
    }
  };
  addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);
  mark();
  // Paper shows what is folded away.
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details:not([open])")) { one.open = true; opened.push(one); }
  });
  addEventListener("afterprint", () => { for (const one of opened.splice(0)) one.open = false; });
})();
