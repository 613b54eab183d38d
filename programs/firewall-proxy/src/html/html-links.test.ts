import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlLinks } from './html-links.ts'
import type { Links } from './links.ts'

/** Puts brackets around links, and tells which there were. */
function marking(): Links & { readonly seen: string[] } {
  const links: string[] = []
  return {
    seen: links,
    link: (url, use) => {
      links.push(url)
      return use === 'form' ? `{${url}}` : `[${url}]`
    },
  }
}

function marked(html: string, pieceLength = Number.POSITIVE_INFINITY): string {
  const reader = new HtmlLinks(marking())
  const bytes = Buffer.from(html)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceLength) {
    pieces.push(reader.transform(bytes.subarray(at, Math.min(bytes.length, at + pieceLength))))
  }
  return Buffer.concat([...pieces, reader.flush()]).toString()
}

/** What a browser would follow, and what it would not. */
const documents: readonly (readonly [html: string, expected: string])[] = [
  ['<a href="/x">y</a>', '<a href="[/x]">y</a>'],
  ["<a href='/x' title=\"<a href='/no'>\">", "<a href='[/x]' title=\"<a href='/no'>\">"],
  ['<A HREF=/x>', '<A HREF="[/x]">'],
  ['<a href = /x/ >', '<a href = "[/x/]" >'],
  ['<a href=/x/>', '<a href="[/x/]">'],
  ['<a\nhref="/x"\thref="/second">', '<a\nhref="[/x]"\thref="/second">'],
  ['<a href="/x?a=1&amp;b=2&copy=3">', '<a href="[/x?a=1&amp;b=2&amp;copy=3]">'],
  ['<a href="&#x2f;x&colon;&NewLine;">', '<a href="[/x:\n]">'],
  ['<a href="/ä">', '<a href="[/ä]">'],
  [
    '<!-- <a href="/x"> --><!--><a href="/y"><!---><a href="/z"><!-- --!><a href="/w">',
    '<!-- <a href="/x"> --><!--><a href="[/y]"><!---><a href="[/z]"><!-- --!><a href="[/w]">',
  ],
  ['<!doctype html "<a href=/x>"><a href="/y">', '<!doctype html "<a href=/x>"><a href="[/y]">'],
  ['<?x <a href="/x"><a href="/y">', '<?x <a href="/x"><a href="[/y]">'],
  ['</ a href="/x"></><a href="/y">', '</ a href="/x"></><a href="[/y]">'],
  ['a < b <3 <a href="/y">', 'a < b <3 <a href="[/y]">'],
  ['<script>"<a href=/x>"</script ><a href="/y">', '<script>"<a href=/x>"</script ><a href="[/y]">'],
  [
    '<script src="/s">//</scripty></script><a href=/y>',
    '<script src="[/s]">//</scripty></script><a href="[/y]">',
  ],
  [
    '<script><!-- <script> </script> <a href=/x> </script><a href="/y">',
    '<script><!-- <script> </script> <a href=/x> </script><a href="[/y]">',
  ],
  ['<script><!--></script><a href="/y">', '<script><!--></script><a href="[/y]">'],
  [
    '<title><a href="/x"></title><textarea><a href="/x"></textarea></textarea><a href="/y">',
    '<title><a href="/x"></title><textarea><a href="/x"></textarea></textarea><a href="[/y]">',
  ],
  ['<iframe src="/f"><a href="/x"></iframe>', '<iframe src="[/f]"><a href="/x"></iframe>'],
  ['<noscript><img src="/x"></noscript>', '<noscript><img src="[/x]"></noscript>'],
  ['<plaintext><a href="/x">', '<plaintext><a href="/x">'],
  [
    '<svg><style><a href="/x"/></style><image xlink:href="/i"/><![CDATA[<a href="/no">]]></svg><![CDATA[<a href="/y">',
    '<svg><style><a href="[/x]"/></style><image xlink:href="[/i]"/><![CDATA[<a href="/no">]]></svg><![CDATA[<a href="/y">',
  ],
  [
    '<svg><title><a href="/x"></title><foreignObject><title><a href="/no"></title></foreignObject></svg>',
    '<svg><title><a href="[/x]"></title><foreignObject><title><a href="/no"></title></foreignObject></svg>',
  ],
  ['<svg><p><style><a href="/no"></style>', '<svg><p><style><a href="/no"></style>'],
  [
    '<img srcset="/a.png 1x, /b,c.png 2x,/d.png" src=data:image/png;base64,AA==>',
    '<img srcset="[/a.png] 1x, [/b,c.png] 2x,[/d.png]" src="[data:image/png;base64,AA==]">',
  ],
  ['<img srcset="/a.png, /b.png">', '<img srcset="[/a.png], [/b.png]">'],
  [
    '<meta content="0; URL=\'/x\'" http-equiv=Refresh>',
    '<meta content="0; URL=&#39;[/x]&#39;" http-equiv=Refresh>',
  ],
  [
    '<meta http-equiv="refresh" content="5"><meta name="x" content="0;url=/x">',
    '<meta http-equiv="refresh" content="5"><meta name="x" content="0;url=/x">',
  ],
  [
    '<style>@import "/a.css";b{c:url(/d.png) url( "/e" )}/* url(/no) */ .x{content:"url(/no)"}</style>',
    '<style>@import "[/a.css]";b{c:url([/d.png]) url( "[/e]" )}/* url(/no) */ .x{content:"url(/no)"}</style>',
  ],
  ['<p style="background:url(&quot;/x&quot;)">', '<p style="background:url(&quot;[/x]&quot;)">'],
  ['<style>a{b:url(/x\\29 y)}</style>', '<style>a{b:url([/x\\29 y])}</style>'],
  ['<style>a{b:"url(/no)\n;c:url(/c)}</style>', '<style>a{b:"url(/no)\n;c:url([/c])}</style>'],
  ['<style>a{b:url()url( )url(x y)url(/d)}</style>', '<style>a{b:url()url( )url(x y)url([/d])}</style>'],
  [
    '<style>a{b:url("x)" y)"url(/no)"url(\\aaaaaa x /no)url(a\\)b)url( \\61 b )}</style>',
    '<style>a{b:url("x)" y)"url(/no)"url(\\aaaaaa x /no)url([a\\29 b])url( [ab] )}</style>',
  ],
  [
    '<form action="/x?y=1"><button formaction="/z" formmethod=POST><button formaction="/w"></form><a action="/no"><form action="/v" method=post><input formaction="/u">',
    '<form action="{/x?y=1}"><button formaction="[/z]" formmethod=POST><button formaction="{/w}"></form><a action="/no"><form action="[/v]" method=post><input formaction="[/u]">',
  ],
  ['<a ping="/p /q" href=>', '<a ping="[/p] [/q]" href=>'],
  ['<iframe srcdoc="<a href=\'/x?a&amp;amp;b\'>">', '<iframe srcdoc="<a href=&#39;[/x?a&amp;amp;b]&#39;>">'],
  ['<a href="/never ends', '<a href="/never ends'],
  ['<!-- never ends <a href="/x">', '<!-- never ends <a href="/x">'],
  ['<style>a{b:url(/never', '<style>a{b:url(/never'],
]

test('links are found where browsers follow them, and nowhere else', () => {
  let ran = 0
  for (const [html, expected] of documents) {
    assert.equal(marked(html), expected, html)
    ran++
  }
  assert.equal(ran, documents.length)
})

test('it does not matter in which pieces a document comes', () => {
  for (const [html, expected] of documents) {
    for (const length of [1, 2, 3, 5, 7]) assert.equal(marked(html, length), expected, `${length}: ${html}`)
  }
})

test('what is not replaced passes byte by byte', () => {
  const nothing: Links = { link: () => undefined }
  for (const [html] of documents) {
    for (const length of [1, 4, 1000]) {
      const reader = new HtmlLinks(nothing)
      const bytes = Buffer.from(html)
      const out: Buffer[] = []
      for (let at = 0; at < bytes.length; at += length)
        out.push(reader.transform(bytes.subarray(at, at + length)))
      assert.deepEqual(Buffer.concat([...out, reader.flush()]), bytes, html)
    }
  }
})

test('a tag without an end does not pile up, and what follows it is read again', () => {
  const links = marking()
  const reader = new HtmlLinks(links)
  const piece = Buffer.alloc(64 * 1024, 'x')
  let passed = reader.transform(Buffer.from('<img alt="')).length
  for (let count = 0; count < 40; count++) passed += reader.transform(piece).length
  assert.ok(passed > 39 * piece.length)
  assert.equal(reader.transform(Buffer.from('"><a href="/y">')).toString(), '"><a href="[/y]">')
})

test('a form without an action gets one where it needs one', () => {
  const reader = new HtmlLinks({ link: () => undefined, formWithoutAction: () => '/page' })
  const html =
    '<form method=get><FORM action=""><form action="/x"></form><form action method=get><form action>'
  assert.equal(
    reader.transform(Buffer.from(html)).toString(),
    '<form action="/page" method=get><FORM action="/page"><form action="/x"></form><form action="/page" method=get><form action="/page">',
  )
})

test('a digest is taken from style sheets that get other links, and from nothing else', () => {
  const html =
    '<link integrity="sha256-x" rel="preload stylesheet" href="/a.css"><link rel=stylesheet integrity=sha256-y href=//other/b.css><script integrity="sha256-z" src="/c.js">'
  const reader = new HtmlLinks({ link: (url) => (url.startsWith('//') ? undefined : `[${url}]`) })
  assert.equal(
    reader.transform(Buffer.from(html)).toString(),
    '<link integrity="" rel="preload stylesheet" href="[/a.css]"><link rel=stylesheet integrity=sha256-y href=//other/b.css><script integrity="sha256-z" src="[/c.js]">',
  )
})

test('the base of a document is told before its links are asked for', () => {
  const elements: string[] = []
  const links: Links = {
    base: (href) => elements.push(`base ${href}`),
    link: (url) => void elements.push(url),
  }
  new HtmlLinks(links).transform(
    Buffer.from('<base href="/b/"><a href="c"><iframe srcdoc="<base href=/no>">'),
  )
  assert.deepEqual(elements, ['base /b/', 'c'])
})

test('documents of any pieces give the same however they are cut', () => {
  const pieces = [
    ...documents.map(([html]) => html),
    '<style>',
    '</style>',
    'url(',
    "url('",
    '/x)',
    '"',
    "'",
    '/*',
    '*/',
    '@import ',
    '<script>',
    '<!--',
    '-->',
    '</script>',
    '<a href="',
    '<a href=/y',
    '>',
    '<',
    '&amp',
    ';',
  ]
  let state = 1
  const chance = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let count = 0; count < 1_500; count++) {
    const html = Array.from({ length: 1 + chance(8) }, () => pieces[chance(pieces.length)]).join('')
    const length = 1 + chance(12)
    assert.equal(marked(html, length), marked(html), `${length}: ${JSON.stringify(html)}`)
  }
})
