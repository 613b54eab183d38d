import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { root } from './support/repository/root.ts'

const documentPath = 'docs/security.md'

/** Whose limits the document has to state: one section each. */
const sections = [
  'A client of a protected application',
  'A protected application',
  'A firewall administrator, by role',
  'The proxy key',
  'An enrolment key',
  'An agent towards the server',
  'The server towards an agent',
  'Another user of the computer',
  'A restored machine',
  'An API client of the backup service',
  'An API client of the email service',
  'An awareness user, with an API key and a token',
  'An operator of Palisade',
  'Whoever has no credential',
  'The operator of the machine',
]

/** The lines of one section's table, without its head: what the holder can or cannot do, and the tests that show it. */
function linesOf(section: string): { readonly statement: string; readonly tests: string }[] {
  return [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, statement = '', tests = '']) => ({ statement, tests }))
    .filter(({ statement }) => statement !== 'limit' && !/^-+$/.test(statement))
}

/** Whether a test of a file has the title, as it stands or with something of its own in the place of each expression. */
function isTitleIn(file: string, title: string): boolean {
  const text = readFileSync(join(root, file), 'utf8')
  const templates = [...text.matchAll(/\b(?:test|it)\(`([^`]*\$\{[^`]*)`/g)].map(
    ([, template = '']) => template,
  )
  return (
    ["'", '`', '"'].some((quote) => text.includes(`${quote}${title}`)) ||
    templates.some((template) => fits(template, title))
  )
}

function fits(template: string, title: string): boolean {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.+')}$`).test(title)
}

test('every limit of trust in docs/security.md names a test that is there', () => {
  const document = readFileSync(join(root, documentPath), 'utf8')
  const parts = document.split(/^## /m).slice(1)
  const titles = parts.map((part) => part.split('\n', 1)[0] ?? '')
  assert.deepEqual(
    sections.filter((section) => !titles.includes(section)),
    [],
  )
  let tests = 0
  for (const section of sections) {
    const lines = linesOf(parts.find((part) => part.startsWith(`${section}\n`)) ?? '')
    assert.ok(lines.length >= 2, `${section} has a table of limits`)
    for (const { statement, tests: cell } of lines) {
      const links = [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
      assert.ok(links.length > 0, `"${statement}" names no test`)
      for (const [, title = '', path = ''] of links) {
        const file = normalize(join(dirname(documentPath), path))
        assert.ok(isTitleIn(file, title), `${file} has no test "${title}"`)
        tests++
      }
    }
  }
  assert.ok(tests >= 60, `${tests} tests are named`)
})
