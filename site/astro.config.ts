import { satteri } from "@astrojs/markdown-satteri";
import { defineConfig } from "astro/config";
import config from "../probity.config.ts";
import { api } from "./src/lib/api.ts";
import { NOT_BUILT } from "./src/lib/checks.ts";
import { proseHref } from "./src/lib/prose.ts";

export default defineConfig({
  site: config.url,
  base: config.base,
  output: "static",
  trailingSlash: "always",
  // One stylesheet and a few scripts that every page shares, so that a page is its own text and no more.
  build: { format: "directory", inlineStylesheets: "never" },
  markdown: {
    // Highlighting and image handling would write inline styles, which the page's policy forbids.
    syntaxHighlight: false,
    processor: satteri({
      features: { smartPunctuation: false },
      mdastPlugins: [
        {
          name: "links-of-readmes",
          link(node, context) {
            if (!context.fileURL) return;
            const url = proseHref(node.url, context.fileURL.pathname, api.checks());
            if (url !== null) context.setProperty(node, "url", url);
            else {
              const value = `${context.textContent(node)} (${NOT_BUILT})`;
              context.replaceNode(node, { type: "text", value });
            }
          },
        },
      ],
    }),
  },
  vite: {
    build: { assetsInlineLimit: 0 },
    // The methodology's prose lies outside of this folder.
    server: { fs: { allow: [".."] } },
  },
});
