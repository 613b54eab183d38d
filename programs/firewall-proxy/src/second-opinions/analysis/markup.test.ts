import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyHarmlessMarkup } from './markup.ts'

const bytes = (text: string) => Buffer.from(text).toString('latin1')

const harmless = [
  'Please meet <b>Anna</b> & Bert at <i>ten</i>',
  'a < b, and I <3 it',
  'data:,41',
  'data:application/pdf;base64,JVBERi0xLjQK',
  '<p class="note">See <a href="https://wiki.test/page?x=1">the page</a> or <a href="/help">help</a>.</p>',
  '<h2>List</h2><ul><li>one</li><li>two</li></ul><img src="/a.png" alt="A picture" width="10">',
  '<table><tr><td style="color: red; width: 10px">1</td></tr></table>',
  "It's Bert's table, isn't it?",
  'He said "drop the table" and left.',
  '{"name":"Anna","note":"likes <b>bold</b>","age":3}',
  'Das heißt „schön“ – oder nicht?',
  'I like this. The document. Top.',
  'https://example.test/a/b?page=2&sort=name',
  'iVBORw0KGgoAAAANSUhEUg+AAb/8BAADw==',
  `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
  'TypeError: x is undefined\n    at <anonymous>:1:2\n    at Object.<anonymous> (https://example.test/a.js:1:3)',
  'main > form#form > input[name="name"][type="text"]',
  '{"a":"<p>It\'s <b>new</b></p>"}\n{"b":"1 < 2"}',
  '<img src="/a?w=1&amp;h=2" srcset="/a.png 1x, /b.png 2x"><video controls src="/a.mp4"></video>',
  '<p style="font-family: &quot;Times New Roman&quot;, serif;">Text</p>',
  '<!-- wp:image {"id":12} -->\n<p>Text</p><!--EndFragment-->',
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0"><saml:Issuer>https://login.test/idp</saml:Issuer></samlp:Response>',
  '<?xml version="1.0" encoding="UTF-8"?><t:Reply xmlns:t="http://example.test/2005/trust"><AttributeValue>Anna</AttributeValue></t:Reply>',
]

const harmful = [
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///a">]>',
  'x[name="constructor"]["constructor"](1)',
  '{"a":"<img src=x onerror=y>"}',
  '{"a":"1"}\n{"b":"<script>x</script>"}',
  '["-x()-"]',
  '<img srcset="javascript:x 1x">',
  '<video src=x onerror=y></video>',
  '<video/src=x/onloadstart=y>',
  'font-family: &quot;in&quot;;x()//',
  'font-family: &quot;a&quot; onclick=x &quot;',
  '/a?w=1&h=2";x()//',
  '<svg:script>x</svg:script>',
  '<samlp:Response onclick="x">',
  '<x:iframe src="https://x.test"/>',
  '<Script>x</Script>',
  '<Body xmlns="http://www.w3.org/1999/xhtml">',
  '<a:b xmlns:a="http://www.w3.org/1999/xhtml"><a:script>x</a:script></a:b>',
  '<script>1</script>',
  '<img src=x onerror=alert(1)>',
  '<img/src=x/onerror=x>',
  '<svg/onload=x>',
  '<a href="java&#x09;script:x">x</a>',
  '<a href="&#106;avascript:x">x</a>',
  '<a href=" data:text/html,x">x</a>',
  '<iframe src="https://x.test">',
  '<form action="https://x.test"><input name=password>',
  '<base href="//x.test">',
  '<b>an unfinished <i',
  '<!-- x --!><b>',
  '<b style="background:url(x)">x</b>',
  '" onmouseover=x a="',
  "' style='x",
  'x onfocus=y autofocus',
  '"><b onclick=x>',
  "'-x()-'",
  '";x();//',
  "');x();//",
  '`+x()+`',
  '"`x`',
  '" in x(), "',
  '"\nx()\n"',
  '["-x()-"]',
  '"/x("a")/"',
  'ends in \\',
  '\\"-x()//',
  '\\x3cimg\\x3e',
  '\\u003cimg',
  '$' + '{x()}',
  '</script>',
  '</textarea><b>',
  'javascript:x()',
  'java\tscript:x()',
  '%3Cscript%3E',
  '%253Cscript%253E',
  '&lt;script&gt;',
  '+ADw-script+AD4-',
  '\u00bcscript\u00be',
  '\uff1cscript\uff1e',
  '{{constructor.constructor("x")()}}',
  'document.cookie',
  'document/*a*/./*b*/cookie',
  '(document)["cookie"]',
  '[][(![]+[])[+[]]]',
]

test('what only formats text, or is text, can run no script', () => {
  assert.deepEqual(
    harmless.filter((text) => whyHarmlessMarkup(bytes(text)) === undefined),
    [],
  )
})

test('nothing is harmless that runs, loads, or leaves the place where a page puts it', () => {
  assert.deepEqual(
    harmful.filter((text) => whyHarmlessMarkup(bytes(text)) !== undefined),
    [],
  )
})

test('an attack is found in ordinary text, before and behind', () => {
  const attacks = ['<script>1</script>', '<svg/onload=x>', '<a href="javascript:x">y</a>', '</textarea>']
  for (const attack of attacks) {
    for (const text of [`${attack} <b>bold</b> words`, `words <b>bold</b> ${attack}`]) {
      assert.equal(whyHarmlessMarkup(text), undefined, text)
    }
  }
})

test('bytes that are no UTF-8, and long values, are never harmless', () => {
  assert.equal(whyHarmlessMarkup('\xc0\xbcb\xc0\xbe'), undefined)
  assert.equal(whyHarmlessMarkup('\xbcscript\xbe'), undefined)
  assert.equal(whyHarmlessMarkup('a'.repeat(65_537)), undefined)
  assert.notEqual(whyHarmlessMarkup('a'.repeat(65_536)), undefined)
})

test('the time grows with the length only', () => {
  for (const piece of [
    '<',
    '<b ',
    '"',
    ' "x',
    '{{',
    '/*',
    '&#',
    '%25',
    "'/",
    'on',
    '<b a="',
    '+AAA',
    '\t ',
  ]) {
    const value = piece.repeat(Math.floor(65_000 / piece.length))
    const start = process.cpuUsage()
    whyHarmlessMarkup(value)
    assert.ok(process.cpuUsage(start).user < 1_000_000, piece)
  }
})
