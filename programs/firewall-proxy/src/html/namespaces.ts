/** HTML that stands in SVG or MathML ends it (HTML standard, section 13.2.6.5). */
const breakouts = new Set(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'.split(
    ' ',
  ),
)

/** Where SVG and MathML hold HTML. */
const integrationPoints: Readonly<Record<'svg' | 'math', ReadonlySet<string>>> = {
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml']),
}

/** Elements that are open and change what tags mean. */
interface Open {
  readonly name: string
  readonly namespace: 'html' | 'svg' | 'math'
}

/** More elements inside one another than this are no longer told apart. */
const depthMax = 512

/**
 * Whether tags stand in HTML or in SVG and MathML, where "style", "script" and "title" hold no raw text and "CDATA" is known. It
 * follows the elements that matter and leaves all others alone, which is right for documents that close what they open.
 */
export class Namespaces {
  readonly #open: Open[] = []

  get isForeign(): boolean {
    return (this.#open.at(-1)?.namespace ?? 'html') !== 'html'
  }

  /** @param name in lower case @returns whether the element is one of HTML itself */
  startTag(name: string, isSelfClosing: boolean): boolean {
    if (this.isForeign && breakouts.has(name)) while (this.isForeign) this.#open.pop()
    const inside = this.#open.at(-1)?.namespace ?? 'html'
    const own = inside === 'html' && (name === 'svg' || name === 'math') ? name : inside
    if (own === 'html') return true
    if (!isSelfClosing) {
      if (own !== inside) this.#push({ name, namespace: own })
      else if (integrationPoints[own].has(name)) this.#push({ name, namespace: 'html' })
    }
    return false
  }

  /** @param name in lower case */
  endTag(name: string): void {
    const last = this.#open.findLastIndex((open) => open.name === name)
    if (last >= 0) this.#open.length = last
  }

  #push(open: Open): void {
    if (this.#open.length < depthMax) this.#open.push(open)
  }
}
