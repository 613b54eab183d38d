import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { root } from '../support/repository/root.ts'

/** KiB of scripts, compressed as gzip does. */
const sizesMax = { first: 150, page: 120 }

const site = join(root, 'clients/console/dist/site')
const scripts = new Map(
  readdirSync(join(site, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(site, 'assets', name), 'utf8')]),
)

/** The scripts that others import: `from"./a.js"` and `import"./a.js"` at once, `import("./a.js")` when they are needed. */
const importedAtOnce = /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g
const importedLater = /import\(\s*["'`]\.\/([\w.-]+\.js)["'`]\s*\)/g

function importsOf(script: string, pattern: RegExp): string[] {
  return Array.from((scripts.get(script) ?? '').matchAll(pattern), ([, name = '']) => name)
}

/** A script, and all that has to be loaded before it runs. */
function loadedWith(script: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(script)) return loaded
  assert.ok(scripts.has(script), `there is no ${script}`)
  loaded.add(script)
  for (const imported of importsOf(script, importedAtOnce)) loadedWith(imported, loaded)
  return loaded
}

function kibOf(names: Iterable<string>): number {
  let bytes = 0
  for (const name of names) bytes += gzipSync(scripts.get(name) ?? '').length
  return Math.round(bytes / 1024)
}

test('the first view of the console loads few scripts, and each page few more', () => {
  const html = readFileSync(join(site, 'index.html'), 'utf8')
  const first = new Set<string>()
  for (const [, name = ''] of html.matchAll(/(?:src|href)="\/console\/assets\/([\w.-]+\.js)"/g)) {
    loadedWith(name, first)
  }
  assert.ok(first.size > 0 && kibOf(first) <= sizesMax.first, `${kibOf(first)} KiB for the first view`)

  const pages = new Set([...scripts.keys()].flatMap((script) => importsOf(script, importedLater)))
  const tooLarge: string[] = []
  for (const page of pages) {
    const size = kibOf([...loadedWith(page)].filter((script) => !first.has(script)))
    if (size > sizesMax.page) tooLarge.push(`${page}: ${size} KiB`)
  }
  assert.deepEqual(tooLarge, [])
  // Every route loads a page; so does every kind of objects of the firewall.
  assert.ok(pages.size >= routesWithPages(), `only ${pages.size} pages were measured`)
})

/** How many different files the routes of the console load their pages from. */
function routesWithPages(): number {
  const source = join(root, 'clients/console/src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)routes\.tsx?$/.test(name),
  )
  const pages = files.flatMap((file) =>
    Array.from(
      readFileSync(join(source, file), 'utf8').matchAll(/import\('(.+?)'\)/g),
      ([, page = '']) => `${file} ${page}`,
    ),
  )
  assert.ok(files.length >= 9 && pages.length >= 40, `${pages.length} pages in ${files.length} files`)
  return new Set(pages).size
}
