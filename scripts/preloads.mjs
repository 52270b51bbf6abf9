// The step of the console's build that names in the page what its first script will ask for, so that all of it comes at once.

/** @returns {import('vite').Plugin} */
export function preloads() {
  return {
    name: 'varve:preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk }) {
        const names = new Set(chunk?.dynamicImports ?? []);
        for (const name of names) {
          const part = bundle[name];
          if (part?.type === 'chunk') for (const imported of part.imports) names.add(imported);
        }
        for (const name of [chunk?.fileName ?? '', ...(chunk?.imports ?? [])]) names.delete(name);
        return [...names].map(name => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
