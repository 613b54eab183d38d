import { ebcdic, fourBytes, json, swapped, wide, xml, xmlText } from './forms-of-a-value.ts'
import { type RequestVariant, typed } from './request-variant.ts'

export const inXml: readonly RequestVariant[] = [
  typed('XML', 'application/xml', xml),
  typed('XML, text/xml', 'text/xml; charset=utf-8', xml),
  typed(
    'XML, soap+xml',
    'application/soap+xml; charset=utf-8; action="urn:a"',
    (value) =>
      `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><id>${xmlText(value)}</id></s:Body></s:Envelope>`,
  ),
  typed('XML, atom+xml', 'application/atom+xml', xml),
  typed('XML, unknown suffix', 'application/vnd.nobody.knows+xml', xml),
  typed('XML, CDATA', 'application/xml', (value) => `<q><id><![CDATA[${value}]]></id></q>`),
  typed(
    'XML, character references',
    'application/xml',
    (value) =>
      `<q><id>${Array.from(value, (one) => `&#x${one.charCodeAt(0).toString(16)};`).join('')}</id></q>`,
  ),
  typed('XML, attribute', 'application/xml', (value) => `<q id="${xmlText(value)}"/>`),
  typed(
    'XML, cut by a comment',
    'application/xml',
    (value) => `<q><id>${xmlText(value).replace(/ /g, ' <!-- c -->')}</id></q>`,
  ),
  typed(
    'XML, entities of its own',
    'application/xml',
    (value) => `<!DOCTYPE q [<!ENTITY a "${xmlText(value)}">]><q>&a;</q>`,
    false,
  ),
  typed(
    'XML, entities of its own, text/plain',
    'text/plain',
    (value) => `<!DOCTYPE q [<!ENTITY a "${xmlText(value)}">]><q>&a;</q>`,
    false,
  ),
  typed(
    'XML, external entity',
    'application/xml',
    (value) => `<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/passwd">]><q>&a;${xmlText(value)}</q>`,
    false,
  ),
  typed('XML, no end', 'application/xml', (value) => `<q><id>${xmlText(value)}</id>`, false),
  typed(
    'XML, 3000 deep',
    'application/xml',
    (value) => `${'<a>'.repeat(3000)}${xmlText(value)}${'</a>'.repeat(3000)}`,
    false,
  ),
  typed('XML, UTF-16', 'application/xml', (value) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide(`<q><id>${xmlText(value)}</id></q>`)]),
  ),
  typed(
    'XML, UTF-7 declared',
    'application/xml',
    (value) => `<?xml version="1.0" encoding="utf-7"?><q><id>${xmlText(value)}</id></q>`,
    false,
  ),
  typed(
    'XML, IBM037 declared and sent',
    'application/xml',
    (value) => ebcdic(`<?xml version="1.0" encoding="ibm037"?><q>${xmlText(value)}</q>`),
    false,
  ),
  typed(
    'XML, IBM037, octet-stream',
    'application/octet-stream',
    (value) => ebcdic(`<?xml version="1.0" encoding="ibm037"?><q>${xmlText(value)}</q>`),
    false,
  ),
  typed(
    'XML, ISO-8859-1 declared',
    'application/xml',
    (value) => `<?xml version="1.0" encoding="iso-8859-1"?><q>${xmlText(value)}</q>`,
  ),
  typed('XML, without a type', undefined, xml),
  typed('XML, text/plain', 'text/plain', xml),
  typed('XML, octet-stream', 'application/octet-stream', xml),
  typed(
    'XML, SVG',
    'image/svg+xml',
    (value) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${xmlText(value)}</text></svg>`,
  ),
  typed(
    'XML, WebDAV',
    'text/xml',
    (value) =>
      `<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x:a xmlns:x="http://x.example/">${xmlText(value)}</x:a></d:prop></d:set></d:propertyupdate>`,
  ),
  typed('XML said, JSON sent', 'application/xml', json, false),
  typed('XML, byte order mark', 'application/xml', (value) => `\ufeff${xml(value)}`),
  typed('XML, UTF-16, big endian', 'application/xml', (value) =>
    swapped(`\ufeff<q><id>${xmlText(value)}</id></q>`),
  ),
  typed('XML, UTF-16 without a mark', 'application/xml', (value) => wide(xml(value)), false),
  typed(
    'XML, UTF-16 declared and not sent',
    'application/xml',
    (value) => `<?xml version="1.0" encoding="utf-16"?><q>${xmlText(value)}</q>`,
    false,
  ),
  typed('XML, UTF-32', 'application/xml', (value) => fourBytes(`\ufeff<q>${xmlText(value)}</q>`), false),
  typed('XML, charset and declaration differ', 'application/xml; charset=utf-16', xml, false),
  typed('XML, UTF-7 in the content type', 'text/xml; charset=utf-7', xml, false),
  typed(
    'XML, unknown encoding declared',
    'application/xml',
    (value) => `<?xml version="1.0" encoding="nothing"?><q>${xmlText(value)}</q>`,
    false,
  ),
  typed(
    'XML, DTD without entities',
    'application/xml',
    (value) => `<!DOCTYPE q><q>${xmlText(value)}</q>`,
    false,
  ),
  typed(
    'XML, DTD elsewhere',
    'application/xml',
    (value) => `<!DOCTYPE q SYSTEM "http://192.0.2.1/q.dtd"><q>${xmlText(value)}</q>`,
    false,
  ),
  typed(
    'XML, entity of parameters',
    'application/xml',
    (value) => `<!DOCTYPE q [<!ENTITY % p SYSTEM "http://192.0.2.1/q.dtd"> %p;]><q>${xmlText(value)}</q>`,
    false,
  ),
  typed(
    'XML, entities that multiply',
    'application/xml',
    (value) =>
      `<!DOCTYPE q [<!ENTITY a "aaaaaaaaaa">${'bcdefghi'.replace(/./g, (one) => `<!ENTITY ${one} "${`&${String.fromCharCode(one.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><q>&i;${xmlText(value)}</q>`,
    false,
  ),
  typed('XML, unknown entity', 'application/xml', (value) => `<q>&nothing;${xmlText(value)}</q>`, false),
  typed(
    'XML, CDATA in pieces',
    'application/xml',
    (value) =>
      `<q><id>${value.replace(/^.*?(?=[A-Z])/, (head) => `<![CDATA[${head}]]><![CDATA[`)}${/[A-Z]/.test(value) ? ']]>' : ''}</id></q>`,
  ),
  typed(
    'XML, elements crossed',
    'application/xml',
    (value) => `<q><a><b>${xmlText(value)}</a></b></q>`,
    false,
  ),
  typed('XML, two roots', 'application/xml', (value) => `<a/><b>${xmlText(value)}</b>`, false),
  typed('XML, attribute twice', 'application/xml', (value) => `<q a="1" a="2">${xmlText(value)}</q>`, false),
  typed('XML, attribute without quotes', 'application/xml', (value) => `<q a=1>${xmlText(value)}</q>`, false),
  typed('XML, text behind', 'application/xml', (value) => `<q/>${xmlText(value)}`, false),
  typed('XML, blank before the declaration', 'application/xml', (value) => ` ${xml(value)}`, false),
  typed('XML, NUL', 'application/xml', (value) => `<q>\0${xmlText(value)}</q>`, false),
  typed(
    'XML, invalid UTF-8',
    'application/xml',
    (value) => Buffer.from(`<q a="\xff">${xmlText(value)}</q>`, 'latin1'),
    false,
  ),
  typed(
    'XML, version 1.1',
    'application/xml',
    (value) => `<?xml version="1.1"?><q>${xmlText(value)}</q>`,
    false,
  ),
  typed('XML, type in capitals', 'Application/XML', xml),
  typed('XML, XHTML', 'application/xhtml+xml', xml),
  typed('XML, chunked', 'text/xml', xml, true, { isChunked: true }),
  typed(
    'XML, name of an element',
    'application/xml',
    (value) => `<q><${value.replace(/[^A-Za-z]/g, '_')}/>${xmlText(value)}</q>`,
    false,
  ),
  typed('HTML', 'text/html', (value) => `<!doctype html><title>a</title><p>${xmlText(value)}`, false),
]
