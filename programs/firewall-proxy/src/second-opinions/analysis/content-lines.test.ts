import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyHarmlessCommands } from './commands.ts'
import { isContentLines, whyNoHeaders } from './content-lines.ts'
import { whyHarmlessMarkup } from './markup.ts'
import { hasNoSql, whyHarmlessSql } from './sql.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

function card(...lines: readonly string[]): string {
  return ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
}

function calendar(...lines: readonly string[]): string {
  const event = ['BEGIN:VEVENT', 'UID:7d0f@example.org', 'DTSTART:20300512T090000Z', ...lines, 'END:VEVENT']
  return [
    'BEGIN:VCALENDAR',
    'PRODID:-//Open Example Ltd.//Diary 2.1//EN',
    ...event,
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

const harmless = [
  card('FN:Zoë Müller', 'N:Müller;Zoë;;Dr.;', 'TEL;TYPE=HOME,VOICE:+44 20 7946 0000', 'REV:20300101T000000Z'),
  card(
    'LABEL;TYPE=WORK:12 Date Street\\nEast End\\, Leeds',
    'TITLE;LANGUAGE=en:Head of net sales',
    'ORG:Hart & Co;Sales',
  ),
  card(
    'item1.TEL;type=CELL;type=pref:0123',
    'item1.X-ABLabel:_$!<HomePage>!$_',
    'BDAY;VALUE=date:1970-01-01',
  ),
  card(
    'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD',
    ' /4QBARXhpZgAATU0AKg==',
    'SORT-STRING:Miller',
  ),
  [
    'BEGIN:VCARD',
    'VERSION:2.1',
    'TEL;HOME;X-SPOUSE:1',
    'PHOTO;JPEG;BASE64:',
    '  R0lGODlhAQAB',
    '',
    'END:VCARD',
  ].join('\n'),
  calendar(
    'SUMMARY:Date of the next sort',
    'LOCATION:Room 4\\, second floor',
    'RRULE:FREQ=WEEKLY;BYDAY=MO,TU',
  ),
  calendar(
    'ATTENDEE;CN="Ann; of sales";ROLE=CHAIR:mailto:ann@example.org',
    'LOCATION:https://meet.example.org/x',
  ),
]

test('contacts and calendars do no harm whose values do none', () => {
  for (const text of harmless) {
    assert.ok(isContentLines(text), text)
    for (const analysis of [whyHarmlessCommands, whyHarmlessSql, whyHarmlessMarkup])
      assert.match(
        analysis(bytes(text)) ?? `not by ${analysis.name}`,
        /document of contacts or dates|no command|no part|no markup/,
        text,
      )
    assert.ok(hasNoSql(bytes(text)), text)
  }
})

test('what would run or change something in a value, a parameter or a name stays harmful', () => {
  const commands = [
    'NOTE:call me; cat /etc/passwd',
    'NOTE:call me\\; cat /etc/passwd',
    'N:Doe;cat /etc/passwd;;;',
    'N:Doe;$(id);;;',
    'X-A;TYPE=`id`:1',
    'X-A;TYPE="$(reboot)":1',
    'whoami;TYPE=HOME:1',
    'NOTE;ENCODING=b:; cat /etc/passwd',
    'NOTE:a\\nwget http://example.org/x',
  ]
  for (const line of commands) {
    assert.equal(whyHarmlessCommands(bytes(card(line))), undefined, line)
    assert.equal(whyHarmlessCommands(bytes(calendar(line))), undefined, line)
  }
  const sql = [
    "NOTE:1' or '1'='1",
    "N:Doe;1' union select 1\\,2 from users -- ;;;",
    'X-A;TYPE="x\' or 1=1 -- ":1',
  ]
  for (const line of sql) {
    assert.equal(whyHarmlessSql(bytes(card(line))), undefined, line)
    assert.equal(hasNoSql(bytes(card(line))), false, line)
  }
  const markup = [
    'NOTE:<script>alert(1)</script>',
    'URL:javascript:alert(1)',
    'X-A;TYPE="<img src=x onerror=alert(1)>":1',
  ]
  for (const line of markup) assert.equal(whyHarmlessMarkup(bytes(card(line))), undefined, line)
})

test('a text is a document only as a whole', () => {
  const whole = card('FN:Ann')
  for (const text of [
    `x${whole}`,
    `${whole}id`,
    whole.replace('END:VCARD', ''),
    whole.replace('FN:Ann', 'ls -la'),
    'a',
  ])
    assert.equal(isContentLines(text), false, text)
})

test('where something takes place is no header, and headers are', () => {
  assert.ok(whyNoHeaders(calendar('LOCATION:Hall 2')))
  for (const line of ['Set-Cookie:a=1', 'Content-Type:text/html', 'NOTE:x\\r\\nSet-Cookie: a=1'])
    assert.equal(whyNoHeaders(calendar(line)), undefined, line)
  assert.equal(whyNoHeaders('x\r\nLocation: http://evil.example/'), undefined)
})
