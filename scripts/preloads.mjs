// The step of the console's build that names in the page what its first script will ask for, so that all of it comes at once.

/** @returns {import('vite').Plugin} */
export function preloads() {
  return {
    name: 'varve:preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk }) {
        // What the page has named already, and what follows in the order in which it is wanted, each behind what it imports.
        const known = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
        /** @type {string[]} */
        const names = [];
        /** @param {string} name */
        const add = name => {
          if (known.has(name)) return;
          known.add(name);
          const part = bundle[name];
          if (part?.type === 'chunk') for (const imported of part.imports) add(imported);
          names.push(name);
        };
        for (const name of chunk?.dynamicImports ?? []) add(name);
        return names.map(name => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
