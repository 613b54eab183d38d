import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HTMLRewriter } from 'html-rewriter-wasm'
import { decodedReferences } from './character-references.ts'
import { HtmlLinks } from './html-links.ts'

/** Pieces of documents, most of them awkward. */
const pieces = [
  '<a href="/1">',
  "<a title='>' href='/2'>",
  '<img src=/3>',
  '<img src=/3/ alt>',
  '<IMG ALT="<a href=/no>" SRC="/4"/>',
  '<link\nrel=x\nhref\n=\n"/5"\n>',
  '<a href="/6" href="/no">',
  '<a/href="/7"/>',
  '<a =href="/8" src="/9">',
  '<a "href="/10">',
  '<script src="/11">',
  '<script>',
  '</script>',
  '</script >',
  '</scriptx>',
  '</SCRIPT/>',
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<!--->',
  '<!---->',
  '<style>',
  '</style>',
  '<title>',
  '</title>',
  '<textarea>',
  '</textarea>',
  '<xmp>',
  '</xmp>',
  '<iframe src="/12">',
  '</iframe>',
  '<noembed>',
  '</noembed>',
  '<svg>',
  '</svg>',
  '<math>',
  '</math>',
  '<foreignObject>',
  '</foreignObject>',
  '<desc>',
  '</desc>',
  '<image href="/13"/>',
  '<p>',
  '</p>',
  '<div>',
  '</div>',
  '<![CDATA[',
  ']]>',
  '<!doctype html>',
  '<!x>',
  '<?x?>',
  '</>',
  '</ x>',
  '</a href="/no">',
  '<',
  '< a href="/no">',
  '<3',
  '>',
  '"',
  "'",
  'text',
  ' \n',
  '&amp;<a href="&#x2f;14&amp;x&quot;">',
  'ä€',
  '<a href="',
  "<b title='",
  '<a href=',
  '<video src="/15" controls poster=/16>',
]

/** Numbers that look like chance and are the same each time. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const attributes = ['href', 'src', 'poster']

/** What the HTML rewriter of another hand sees. */
async function seenElsewhere(html: string): Promise<string[]> {
  const links: string[] = []
  const rewriter = new HTMLRewriter(() => undefined)
  rewriter.on('*', {
    element: (element) => {
      for (const name of attributes) {
        const value = element.getAttribute(name)
        if (value !== null && value !== '')
          links.push(decodedReferences(Buffer.from(value).toString('latin1')))
      }
    },
  })
  try {
    await rewriter.write(Buffer.from(html))
    await rewriter.end()
  } finally {
    rewriter.free()
  }
  return links
}

function seenHere(html: string, random: (below: number) => number): string[] {
  const links: string[] = []
  const reader = new HtmlLinks({
    link: (url) => {
      links.push(url)
      return undefined
    },
  })
  const bytes = Buffer.from(html)
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random(40)
    out.push(reader.transform(bytes.subarray(at, at + length)))
    at += length
  }
  assert.deepEqual(Buffer.concat([...out, reader.flush()]), bytes, 'byte by byte')
  return links
}

/** lol-html closes one of two elements of SVG or MathML inside one another where the standard closes both. */
function isDisputed(html: string): boolean {
  return (html.match(/<(?:svg|math)>/g) ?? []).length > 1
}

test('links are found where lol-html finds them, in documents of any pieces', async () => {
  let count = 0
  const documents = 4_000
  for (let seed = 0; seed < documents; seed++) {
    const random = chance(seed)
    const html = Array.from({ length: 1 + random(14) }, () => pieces[random(pieces.length)]).join('')
    if (isDisputed(html)) continue
    const [theirs, ours] = [await seenElsewhere(html), seenHere(html, random)]
    assert.deepEqual(ours.sort(), theirs.sort(), `document ${seed}: ${JSON.stringify(html)}`)
    count += theirs.length
  }
  assert.ok(count > documents)
})
