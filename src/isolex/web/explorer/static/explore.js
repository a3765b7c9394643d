"use strict";
// Completes the word in the search box; "/" moves there. Everything else works without JavaScript.
(() => {
  const input = document.getElementById("word");
  if (!input) return;
  const languages = ["from", "to"].map((id) => document.getElementById(id)).filter(Boolean);
  const list = document.createElement("ul");
  list.id = "completions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Words with this beginning");
  input.parentElement.append(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);

  let active = -1;
  let timer = 0;
  let pending = new AbortController();

  const show = (open) => {
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) choose(-1);
  };

  const choose = (place) => {
    active = place;
    [...list.children].forEach((option, number) => {
      option.setAttribute("aria-selected", String(number === place));
    });
    if (place < 0) {
      input.removeAttribute("aria-activedescendant");
    } else {
      input.setAttribute("aria-activedescendant", list.children[place].id);
      list.children[place].scrollIntoView({ block: "nearest" });
    }
  };

  const option = (found, number) => {
    const item = document.createElement("li");
    item.id = `completion-${number}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    const word = document.createElement("bdi");
    word.textContent = found.shown;
    const name = document.createElement("span");
    name.className = "soft";
    name.textContent = found.language;
    item.append(word, name);
    // The address comes from the server, which knows the bytes of words that are not UTF-8.
    item.dataset.url = found.url;
    return item;
  };

  const go = (item) => {
    const count = document.getElementById("k").value;
    window.location.assign(`${item.dataset.url}&k=${encodeURIComponent(count)}`);
  };

  const close = () => {
    window.clearTimeout(timer);
    pending.abort();
    show(false);
  };

  const complete = async () => {
    pending.abort();
    pending = new AbortController();
    const query = new URLSearchParams({ prefix: input.value, dir: input.dataset.dir });
    languages.forEach((select) => select.value && query.set(select.name, select.value));
    try {
      const answer = await fetch(`/api/complete?${query}`, { signal: pending.signal });
      if (!answer.ok) return show(false);
      const { completions } = await answer.json();
      list.replaceChildren(...completions.map(option));
      show(completions.length > 0);
      choose(-1);
    } catch (error) {
      if (error.name !== "AbortError") show(false);
    }
  };

  input.addEventListener("input", () => {
    window.clearTimeout(timer);
    if (input.value.trim()) timer = window.setTimeout(complete, 60);
    else close();
  });

  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) {
        if (input.value.trim()) complete();
        return;
      }
      const count = list.children.length + 1; // one place is the input itself
      const step = event.key === "ArrowDown" ? 1 : -1;
      choose(((active + 1 + step + count) % count) - 1);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      go(list.children[active]);
    }
  });

  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("[role=option]");
    if (item && event.button === 0) {
      event.preventDefault();
      go(item);
    }
  });

  // Typing replaces a word that was not found.
  if (input.autofocus) {
    input.addEventListener("focus", () => input.select(), { once: true });
    if (document.activeElement === input) input.select();
  }
  input.addEventListener("blur", close);
  // A page restored from the back-forward cache must not show an old list.
  window.addEventListener("pagehide", close);
  show(false);

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
})();
