import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { newFolder } from '../../support/programs/server.ts'
import { curl, run } from '../clients.ts'
import { enter, inBrowser, submit, type Visit } from '../visits.ts'
import { administrator } from './debian-applications.ts'
import { customers, posts, searches } from './everyday-texts.ts'

/** Somebody installs Shaarli, keeps bookmarks and notes, and searches them. */
export const useBookmarks: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    await page.fill('input[name=setlogin]', administrator.name)
    await page.fill('input[name=setpassword]', administrator.password)
    await page.fill('input[name=title]', "Siobhán's links & notes")
    await submit(page, 'input[name=Save]')
    await page.goto(`${origin}/login`)
    await page.fill('input[name=login]:visible', administrator.name)
    await page.fill('input[name=password]:visible', administrator.password)
    await enter(page, 'input[name=password]:visible')
    for (const { title, text } of posts) {
      await page.goto(
        `${origin}/admin/shaare?post=${encodeURIComponent('https://example.com/a/b.php?id=7&q=x+y#top')}&title=${encodeURIComponent(title)}&source=bookmarklet&description=${encodeURIComponent(text.slice(0, 60))}`,
      )
      await page.fill('input[name=lf_title]', title)
      await page.fill('textarea[name=lf_description]', text)
      await page.fill('input[name=lf_tags]', "garden o'connor c++")
      await submit(page, 'input[name=save_edit]')
      await page.goto(`${origin}/admin/add-shaare`)
    }
    for (const words of searches)
      await page.goto(`${origin}/?searchterm=${encodeURIComponent(words)}&searchtags=garden`)
    for (const path of [
      'tags/cloud',
      'daily',
      'picture-wall',
      'admin/tools',
      'admin/configure',
      'feed/atom?searchtags=garden',
      'opensearch',
    ])
      await page.goto(`${origin}/${path}`).catch(() => undefined)
  })
}

/** Somebody writes tickets, pages of a wiki and posts of a forum in Fossil; its own client clones, changes and synchronises. */
export const useSourcesAndTickets: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/login`)
    await page.fill('input[name=u]', administrator.name)
    await page.fill('input[name=p]', administrator.password)
    await enter(page, 'input[name=p]')
    for (const { title, text } of posts.slice(0, 8)) {
      await page.goto(`${origin}/tktnew`)
      await page.fill('input[name=title]', title)
      await page.fill('textarea[name=icomment]', text)
      await page.locator('input[name=preview]').first().click()
      await page.waitForLoadState()
      await page.locator('input[name=submit]').first().click()
      await page.waitForLoadState()
    }
    for (const { title, text } of posts.slice(2, 10)) {
      await page.goto(`${origin}/forumnew`)
      await page.fill('input[name=title]', title)
      await page.fill('textarea[name=content]', text)
      await page.locator('input[name=preview]').first().click()
      await page.waitForLoadState()
      await page.locator('input[name=submit]').first().click()
      await page.waitForLoadState()
    }
    for (const { title, text } of posts.slice(0, 6)) {
      const name = title.replace(/[^\p{L}\d ]/gu, '')
      await page.goto(`${origin}/wikiedit?name=${encodeURIComponent(name)}`)
      await page.evaluate(
        async ([pageName, content]) => {
          for (const path of ['wikiajax/preview', 'wikiajax/save']) {
            const form = new FormData()
            form.append('page', pageName)
            form.append('mimetype', 'text/x-markdown')
            form.append('content', content)
            form.append('isnew', '1')
            await fetch(`/${path}`, { method: 'POST', body: form })
          }
        },
        [name, text] as const,
      )
      await page.goto(`${origin}/wiki?name=${encodeURIComponent(name)}`)
    }
    for (const words of searches) await page.goto(`${origin}/search?s=${encodeURIComponent(words)}&y=all`)
    for (const path of [
      'timeline?n=50&y=ci',
      'reportlist',
      'dir?ci=tip',
      'setup_config',
      'rptview?rn=1&order_by=2%2C+1',
    ])
      await page.goto(`${origin}/${path}`)
  })
  const cwd = newFolder()
  const fossil = (...argv: string[]) =>
    run('/usr/bin/fossil', argv, { cwd, environment: { USER: administrator.name } })
  const address = `http://${administrator.name}:${encodeURIComponent(administrator.password)}@${new URL(origin).host}/`
  await fossil('clone', '--no-open', address, 'copy.fossil')
  await fossil('open', '--force', 'copy.fossil')
  for (const [index, { title, text }] of posts.entries()) {
    writeFileSync(join(cwd, `post-${index}.md`), `# ${title}\n\n${text}\n`)
    await fossil('add', `post-${index}.md`)
    await fossil('commit', '--no-prompt', '-m', title)
  }
  await fossil('sync')
  await fossil('unversioned', 'add', 'post-1.md')
  await fossil('unversioned', 'sync')
}

/** Programs write measurements, and ask for them. */
export const useMeasurements: Visit = async (origin) => {
  await run('/usr/bin/python3', ['-c', measure, new URL(origin).port, JSON.stringify({ posts, customers })])
  await curl(
    '-i',
    '-XPOST',
    `${origin}/write?db=metrics&precision=s`,
    '--data-binary',
    'cpu,host=web-01,region=eu-west usage_user=12.5,usage_system=3i 1767225600\nlog,host=web-01 message="user \\"o\'connor\\" logged in; took 3 ms",level="info" 1767225601',
  )
  await curl(
    '-G',
    `${origin}/query?pretty=true`,
    '--data-urlencode',
    'db=metrics',
    '--data-urlencode',
    'q=SELECT "usage_user" FROM "cpu" WHERE "host"=\'web-01\' AND time > now() - 1h',
  )
}

const measure = `
import json, sys
from influxdb import InfluxDBClient
client = InfluxDBClient('127.0.0.1', int(sys.argv[1]))
texts = json.loads(sys.argv[2])
client.ping()
client.create_database('metrics')
client.switch_database('metrics')
client.create_retention_policy('month', '30d', '1')
for minute in range(12):
    client.write_points([{'measurement': name, 'tags': {'host': 'web-0%d' % host, 'path': '/srv/www/html'}, 'time': 1767225600 + 60 * minute, 'fields': {'value': 0.5 * minute, 'note': texts['posts'][minute]['title']}} for name in ['cpu', 'mem', 'disk'] for host in range(3)], time_precision='s')
for query in ['SHOW MEASUREMENTS', 'SHOW TAG KEYS FROM "cpu"', 'SELECT mean("value") FROM "cpu" WHERE "host" =~ /^web-0[12]$/ AND time >= now() - 6h GROUP BY time(1m), "host" fill(null)', 'SELECT last("value") FROM "disk" GROUP BY "path"', 'SELECT derivative(mean("value"), 10s) AS "rate" FROM "mem" WHERE time > 1767225600s GROUP BY time(10s) fill(linear) LIMIT 100']:
    try: client.query(query, epoch='ms')
    except Exception as error: print(error)
client.get_list_database()
client.drop_database('metrics')
`

/** Somebody looks at the pages of Transmission, and adds and changes transfers; a program of the command line does too. */
export const useTransmission: Visit = async (origin, browser) => {
  const cwd = newFolder()
  const content = join(cwd, "Siobhán's holiday & garden (2025)")
  mkdirSync(content)
  for (const [index, { text }] of posts.entries()) writeFileSync(join(content, `note ${index}.md`), text)
  const torrent = join(cwd, 'notes.torrent')
  await run(
    '/usr/bin/transmission-create',
    [
      '-o',
      torrent,
      '-t',
      'https://tracker.example.org/announce?key=a1b2',
      '-c',
      posts[0]?.text ?? '',
      content,
    ],
    { cwd },
  )
  const remote = (...argv: string[]) =>
    run('/usr/bin/transmission-remote', [new URL(origin).host, ...argv], { cwd })
  await remote('-a', torrent)
  await remote(
    '-a',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=Debian+12+%26+more&tr=udp%3A%2F%2Ftracker.example.org%3A80',
  )
  for (const argv of [
    ['-l'],
    ['-t', '1', '-i'],
    ['-t', '1', '-f'],
    ['-t', '1', '-G', '0,2'],
    ['-s'],
    ['-si'],
    ['-t', '1', '--move', '/srv/downloads/new'],
    ['-t', 'all', '-S'],
    ['-d', '500', '-u', '50'],
  ])
    await remote(...argv)
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/transmission/web/`)
    await page.locator('#toolbar-open').click()
    await page.fill(
      '#torrent_upload_url',
      'https://example.org/torrents/download.php?id=77&name=O%27Neill%20-%20Songs.torrent',
    )
    await page.setInputFiles('#torrent_upload_file', torrent)
    await page.locator('#upload_confirm_button').click()
    await page.waitForResponse((reply) => reply.url().includes('/rpc'))
    await page.locator('#turtle-button').click()
    await page.waitForResponse((reply) => reply.url().includes('/rpc'))
  })
}

/** Programs put images of containers into a registry, look at them, copy and delete them. */
export const useImageRegistry: Visit = async (origin) => {
  const image = newFolder()
  const keep = (content: Buffer, mediaType: string) => {
    const digest = createHash('sha256').update(content).digest('hex')
    writeFileSync(join(image, digest), content)
    return { mediaType, size: content.length, digest: `sha256:${digest}` }
  }
  const tar = Buffer.concat([Buffer.alloc(1024)])
  const docker = 'application/vnd.docker'
  const layer = keep(gzipSync(tar), `${docker}.image.rootfs.diff.tar.gzip`)
  const config = keep(
    Buffer.from(
      JSON.stringify({
        architecture: 'amd64',
        os: 'linux',
        author: "Siobhán O'Connor",
        config: {
          Env: ['PATH=/usr/local/bin:/usr/bin:/bin'],
          Entrypoint: ['/bin/sh', '-c', 'exec nginx -g "daemon off;"'],
        },
        rootfs: { type: 'layers', diff_ids: [`sha256:${createHash('sha256').update(tar).digest('hex')}`] },
        history: [
          { created_by: '/bin/sh -c apt-get update && apt-get install -y curl; rm -rf /var/lib/apt/lists/*' },
        ],
      }),
    ),
    `${docker}.container.image.v1+json`,
  )
  writeFileSync(
    join(image, 'manifest.json'),
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${docker}.distribution.manifest.v2+json`,
      config,
      layers: [layer],
    }),
  )
  writeFileSync(join(image, 'version'), 'Directory Transport Version: 1.1\n')
  const remote = (name: string) => `docker://${new URL(origin).host}/${name}`
  const skopeo = (...argv: string[]) =>
    run('/usr/bin/skopeo', ['--insecure-policy', ...argv], { environment: { TMPDIR: newFolder() } })
  for (const name of ['shop/web:1.0', 'shop/web:latest', 'tools/select-menu:2025.01-rc.1'])
    await skopeo('copy', '--dest-tls-verify=false', `dir:${image}`, remote(name))
  await skopeo('copy', '--format=oci', '--dest-tls-verify=false', `dir:${image}`, remote('shop/web:oci'))
  await skopeo('inspect', '--tls-verify=false', remote('shop/web:1.0'))
  await skopeo('list-tags', '--tls-verify=false', remote('shop/web'))
  await skopeo(
    'copy',
    '--src-tls-verify=false',
    '--dest-tls-verify=false',
    remote('shop/web:1.0'),
    remote('archive/web:old'),
  )
  await skopeo('delete', '--tls-verify=false', remote('tools/select-menu:2025.01-rc.1'))
  await curl(`${origin}/v2/_catalog?n=100`)
}
