import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from '../../support/applications/browser.ts'
import { newFolder } from '../../support/programs/server.ts'
import type { Visit } from '../visits.ts'
import { cookies } from './cookies.ts'

const script = '/assets/app-5f0c2b.js'

/** Cookies of one visitor; sites set more than these, which would be the same in each request. */
const cookiesMax = 9

/** Where visitors come from, and with what. */
const visitors: readonly {
  readonly path: string
  readonly referer: string
  readonly options: BrowserContextOptions
}[] = [
  {
    path: '/en/garden/chairs/ase-oak-2?utm_source=newsletter&utm_medium=e-mail&utm_campaign=spring%20%2725%20%E2%80%93%2020%25%20off&gclid=Cj0KCQiA-62tBhDSARIsAO7twbZ_x',
    referer: 'https://www.google.com/',
    options: { locale: 'en-GB' },
  },
  {
    path: '/de/suche?q=%C3%96lfarbe+%26+Pinsel&sort=preis%3Aauf&filter%5Bfarbe%5D%5B%5D=gr%C3%BCn#ergebnisse',
    referer: 'https://www.bing.com/search?q=%22%C3%96lfarbe%22+kaufen+-%28set%29&form=QBLH',
    options: {
      locale: 'de-DE',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
    },
  },
  {
    path: '/ru/%D1%81%D1%82%D1%83%D0%BB%D1%8C%D1%8F?q=%D1%81%D1%82%D1%83%D0%BB+%D0%B4%D0%BB%D1%8F+%D1%81%D0%B0%D0%B4%D0%B0&yclid=1234567890123',
    referer: 'https://yandex.ru/search/?text=%D1%81%D1%82%D1%83%D0%BB&lr=213',
    options: { locale: 'ru-RU' },
  },
  {
    path: '/ja/blog/%E6%A4%85%E5%AD%90%E3%81%AE%E9%81%B8%E3%81%B3%E6%96%B9?ref=tw&fbclid=IwAR0a-1b2c3_d4E5f6G7h8I9j0',
    referer:
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.example.org%2Fja%2Fblog%3Ffbclid%3DIwAR0&h=AT1x&s=1',
    options: {
      locale: 'ja-JP',
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      viewport: { width: 390, height: 844 },
    },
  },
  {
    path: '/fr/panier?etape=2&retour=%2Ffr%2Fl%27atelier%3Fpage%3D2%26tri%3Dprix',
    referer: 'https://www.example.org/fr/l%27atelier?page=2&tri=prix',
    options: { locale: 'fr-FR' },
  },
]

/** A number that is the same for a name always. */
export const numberOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0)

/**
 * Opens a page of a shop with a client library in it, and has the library send what it sends. Every host is the recorder's.
 *
 * @param family the file in `pages/` @param packages below which npm installed the libraries
 */
export function libraryVisit(family: string, library: string, packages: string): Visit {
  return async (origin) => {
    const front = await encryptedFront(Number(new URL(origin).port))
    const browser = await startBrowser([
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP * 127.0.0.1:${front.port}`,
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-http2'],
    ])
    const number = numberOf(library)
    const visitor = visitors[number % visitors.length] as (typeof visitors)[number]
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...visitor.options })
    const chosen = cookies.filter(
      (_, index) => (index * 7 + number) % Math.ceil(cookies.length / cookiesMax) === 0,
    )
    await context.addCookies(
      chosen.map(([name, value]) => ({ name, value, domain: '.example.org', path: '/' })),
    )
    const bundle = bundleOf(family, packages)
    const page = await context.newPage()
    await page.route(`**${script}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: bundle }),
    )
    try {
      await use(page, `https://www.example.org${visitor.path}`, visitor.referer, library)
    } finally {
      await browser.close()
      front.close()
    }
  }
}

async function use(page: Page, address: string, referer: string, library: string): Promise<void> {
  await page.goto(address, { referer })
  await page.addScriptTag({ url: script })
  await page.addScriptTag({ content: `setTimeout(() => libraries.use('${library}'))` })
  await page.fill('#name', "Siobhán O'Connor")
  await page.fill('#comment', 'Delivered on time; but the legs (2 of 4) are loose :-( "Not again!" 50% off?')
  await page.click('#buy')
  await page.mouse.wheel(0, 400)
  const outcome = await page.waitForFunction(() => Reflect.get(globalThis, 'outcome'), undefined, {
    timeout: 20_000,
  })
  if ((await outcome.jsonValue()) !== 'done') throw new Error(`${library}: ${await outcome.jsonValue()}`)
  // What libraries send when a page is left.
  await page.goto('about:blank')
}

const bundles = new Map<string, Buffer>()

function bundleOf(family: string, packages: string): Buffer {
  const bundle = bundles.get(family) ?? newBundle(family, packages)
  bundles.set(family, bundle)
  return bundle
}

function newBundle(family: string, packages: string): Buffer {
  const file = join(newFolder(), 'app.js')
  execFileSync(
    join(packages, 'node_modules/.bin/esbuild'),
    [
      join(import.meta.dirname, 'pages', `${family}.js`),
      ...['--bundle', '--format=iife', '--global-name=libraries', '--define:global=globalThis'],
      ...['--define:process.env.NODE_ENV="production"', '--loader:.css=empty', '--log-level=error'],
      `--outfile=${file}`,
    ],
    { env: { ...process.env, NODE_PATH: join(packages, 'node_modules') } },
  )
  return readFileSync(file)
}

/** Takes the encryption away before the recorder. */
async function encryptedFront(recorderPort: number): Promise<{ readonly port: number; close(): void }> {
  const folder = newFolder()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=example.org',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  )
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (socket) => {
    const onward = connect(recorderPort, '127.0.0.1')
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
