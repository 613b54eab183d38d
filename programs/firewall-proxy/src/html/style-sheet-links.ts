import type { BodyFilter } from '../exchange/answer.ts'
import type { Links } from './links.ts'
import { StyleLinks } from './style-links.ts'

/** The links of a style sheet that is an answer of its own, replaced while it passes. */
export class StyleSheetLinks implements BodyFilter {
  readonly #links: StyleLinks

  constructor(links: Links) {
    this.#links = new StyleLinks(links)
  }

  transform(chunk: Buffer): Buffer {
    return Buffer.from(this.#links.transform(chunk.toString('latin1')), 'latin1')
  }

  flush(): Buffer {
    return Buffer.from(this.#links.flush(), 'latin1')
  }
}
