import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../../support/programs/server.ts'
import { curl, run } from '../clients.ts'
import { inBrowser, packagesFolder, type Visit } from '../visits.ts'
import { administrator } from './debian-applications.ts'
import { posts, products, searches } from './everyday-texts.ts'

/** Runs a client of npm. @param text a module of CommonJS; `origin` and `texts` are constants in it */
async function runClient(origin: string, text: string): Promise<void> {
  const output = await run(
    process.execPath,
    [
      '-e',
      `const origin = process.argv[1], texts = ${JSON.stringify({ posts, products, searches })};\n(async () => {\n${text}\n})().catch(console.error).finally(() => process.exit())`,
      origin,
    ],
    { cwd: packagesFolder() },
  )
  if (output !== '') throw new Error(output.slice(0, 2000))
}

/** Somebody writes and searches in TiddlyWiki, whose page stores what changes. */
export const useTiddlyWiki: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    await page.locator('.tc-tiddler-frame').first().waitFor()
    for (const { title, text, author } of posts) {
      await page.evaluate(
        ([name, body, by]) => {
          const { wiki } = Reflect.get(globalThis, '$tw')
          wiki.addTiddler({
            title: name,
            text: body,
            modifier: by,
            tags: "[[To do]] Ann's",
            type: 'text/x-markdown',
          })
        },
        [title, text, author] as const,
      )
    }
    const saved = page.waitForResponse(
      (reply) => reply.request().method() === 'PUT' && reply.url().includes('Selling'),
    )
    await saved
    await page.evaluate(
      (names) => {
        const { wiki } = Reflect.get(globalThis, '$tw')
        for (const name of names) wiki.deleteTiddler(name)
      },
      posts.slice(0, 2).map(({ title }) => title),
    )
    await page.waitForResponse((reply) => reply.request().method() === 'DELETE')
    await page.goto(`${origin}/#${encodeURIComponent(posts[3]?.title ?? '')}`)
    await page.reload()
    await page.locator('.tc-tiddler-frame').first().waitFor()
    await page.evaluate(
      async (names) => {
        const filter = encodeURIComponent('[all[tiddlers]!is[system]tag[To do]sort[title]]')
        await fetch(`/recipes/default/tiddlers.json?filter=${filter}`)
        for (const name of names) await fetch(`/${encodeURIComponent(name)}`)
      },
      posts.slice(4, 8).map(({ title }) => title),
    )
  })
}

/** npm registers somebody, publishes, searches and installs; somebody looks at the pages. */
export const useVerdaccio: Visit = async (origin, browser) => {
  const host = new URL(origin).host
  const cwd = newFolder()
  const added = await fetch(`${origin}/-/user/org.couchdb.user:${administrator.name}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'npm/11.19.1 node/v24.21.0 linux x64 workspaces/false',
      'npm-auth-type': 'legacy',
      'npm-command': 'adduser',
    },
    body: JSON.stringify({
      _id: `org.couchdb.user:${administrator.name}`,
      ...administrator,
      email: "o'connor@example.org",
      type: 'user',
      roles: [],
      date: '2026-01-01T00:00:00.000Z',
    }),
  })
  const { token } = (await added.json()) as { token: string }
  writeFileSync(join(cwd, '.npmrc'), `registry=${origin}/\n//${host}/:_authToken=${token}\n`)
  const npm = (...argv: string[]) => run('npm', [...argv, '--fetch-retries=0'], { cwd })
  const publish = async (name: string, version: string, readme: string, files: Record<string, string>) => {
    writeFileSync(
      join(cwd, 'package.json'),
      JSON.stringify({
        name,
        version,
        description: "Ann's helper for <select> elements & forms",
        keywords: ['select', 'form', 'union'],
        author: "Siobhán O'Connor <siobhan@example.org>",
        license: 'MIT',
        bin: { helper: 'cli.js' },
        scripts: { test: 'node --test && echo ok | tee log.txt', prepack: 'rm -rf dist; mkdir dist' },
      }),
    )
    writeFileSync(join(cwd, 'README.md'), readme)
    for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text)
    await npm('publish', '--ignore-scripts')
  }
  const readme = (index: number) =>
    posts
      .slice(index, index + 3)
      .map(({ title, text }) => `# ${title}\n\n${text}\n`)
      .join('\n')
  await publish('form-helper', '1.0.0', readme(2), {
    'index.js': "module.exports = (a) => a && '<option>' + a + '</option>'\n",
    'cli.js': '#!/usr/bin/env node\nconsole.log(process.argv)\n',
  })
  await publish('form-helper', '1.1.0-beta.1', readme(8), {})
  await publish('@ann/query', '0.1.0', readme(3), { 'index.js': "exports.all = 'SELECT * FROM items'\n" })
  await npm('dist-tag', 'add', 'form-helper@1.0.0', 'stable')
  await npm('deprecate', 'form-helper@1.0.0', "don't use; see 1.1 & later")
  for (const words of searches) await npm('search', words)
  await npm('owner', 'ls', 'form-helper')
  await npm('whoami')
  await npm('view', '@ann/query')
  await npm('profile', 'get')
  const other = newFolder()
  writeFileSync(join(other, '.npmrc'), `registry=${origin}/\n`)
  writeFileSync(
    join(other, 'package.json'),
    JSON.stringify({
      name: 'mine',
      version: '1.0.0',
      dependencies: { 'form-helper': '^1.0.0', '@ann/query': '*' },
    }),
  )
  await run('npm', ['install', '--ignore-scripts', '--fetch-retries=0'], { cwd: other })
  await run('npm', ['audit', '--fetch-retries=0'], { cwd: other })
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    await page.getByText('form-helper').first().waitFor()
    for (const path of ['form-helper', '@ann/query']) {
      await page.goto(`${origin}/-/web/detail/${path}`)
      await page.waitForLoadState('networkidle')
    }
    await page.evaluate(async (words) => {
      for (const word of words) await fetch(`/-/verdaccio/data/search/${encodeURIComponent(word)}`)
      await fetch('/-/verdaccio/sec/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'editor', password: 'correct horse battery' }),
      })
    }, searches)
  })
  await npm('unpublish', 'form-helper@1.1.0-beta.1', '--force')
}

/** Apollo's client posts, comments, votes and asks; some of its requests are GET, with the digest of a query. */
export const useApolloForum: Visit = async (origin) => {
  await runClient(
    origin,
    `const { ApolloClient, InMemoryCache, HttpLink, gql } = require('@apollo/client')
const fields = gql\`fragment Fields on Post { id title author votes tags }\`
for (const useGETForQueries of [false, true]) {
  const client = new ApolloClient({ link: new HttpLink({ uri: origin + '/', useGETForQueries, headers: { 'apollographql-client-name': 'forum-web', 'apollographql-client-version': '2.3.1', 'apollo-require-preflight': 'true' } }), cache: new InMemoryCache(), defaultOptions: { query: { fetchPolicy: 'no-cache', errorPolicy: 'all' } } })
  const ids = []
  for (const { title, text, author } of texts.posts) {
    const { data } = await client.mutate({ mutation: gql\`mutation AddPost($input: PostInput!) { addPost(input: $input) { ...Fields body } } \${fields}\`, variables: { input: { title, body: text, author, tags: ["q&a", "don't"] } } })
    ids.push(data.addPost.id)
  }
  for (const [index, { text, author }] of texts.posts.slice(0, 6).entries())
    await client.mutate({ mutation: gql\`mutation Comment($postId: ID!, $body: String!, $author: String!) { addComment(postId: $postId, body: $body, author: $author) { id body } }\`, variables: { postId: ids[index], body: text, author } })
  await client.mutate({ mutation: gql\`mutation { up: vote(postId: "1", by: 1) { id votes } down: vote(postId: "2", by: -1) { id votes } }\` })
  for (const contains of texts.searches)
    await client.query({ query: gql\`query Search($filter: PostFilter, $first: Int = 20) { posts(filter: $filter, first: $first) { total nodes { ...Fields } } } \${fields}\`, variables: { filter: { contains, minVotes: 0 } } })
  await client.query({ query: gql\`query Page($id: ID!, $withComments: Boolean!) { post(id: $id) { ...Fields body comments(first: 5) @include(if: $withComments) { id author body } } } \${fields}\`, variables: { id: '1', withComments: true } })
  await client.query({ query: gql\`query IntrospectionQuery { __schema { queryType { name } types { kind name fields { name type { name ofType { name } } } } } }\` })
  await client.mutate({ mutation: gql\`mutation { deletePost(id: "3") }\` })
}`,
  )
}

/** An application of a telephone signs up, keeps notes with places and pictures, asks for those nearby, and tells what it did. */
export const useParseServer: Visit = async (origin) => {
  await runClient(
    origin,
    `const Parse = require('parse/node')
Parse.initialize('field-notes', 'a-key-of-the-application')
Parse.serverURL = origin + '/parse'
const attempt = (promise) => promise.catch(() => undefined)
for (const [index, { author }] of texts.posts.slice(0, 5).entries())
  await attempt(new Parse.User({ username: author, password: 'Passw0rd! & more ' + index, email: 'user' + index + '@example.org', bio: texts.posts[index].text }).signUp())
Parse.User.enableUnsafeCurrentUser()
await attempt(Parse.User.logIn(texts.posts[0].author, 'Passw0rd! & more 0'))
const Note = Parse.Object.extend('Note')
const notes = []
for (const [index, { title, text, author }] of texts.posts.entries()) {
  const note = new Note({ title, text, by: author, tags: ['a', "b's"], at: new Date(1767225600000 + index), place: new Parse.GeoPoint(52.5 + index, -0.1), device: { model: 'SM-G991B', os: 'Android 14', locale: 'en_GB' } })
  await attempt(note.save())
  notes.push(note)
}
notes[0].increment('views'); notes[0].addUnique('tags', 'new'); await attempt(notes[0].save())
await attempt(Parse.Object.saveAll(notes.slice(1, 5).map((note) => note.set('read', true))))
for (const words of texts.searches) {
  await attempt(new Parse.Query(Note).contains('title', words).descending('createdAt').limit(20).find())
  await attempt(new Parse.Query(Note).fullText('text', words).find())
}
await attempt(Parse.Query.or(new Parse.Query(Note).startsWith('title', 'What'), new Parse.Query(Note).matches('text', /^(dear|hello)\\b/i)).include('owner').select('title', 'by').find())
await attempt(new Parse.Query(Note).greaterThan('views', 0).notEqualTo('read', true).containedIn('by', ['Ann Lee', "Jacinta D'Souza"]).exists('place').count())
await attempt(new Parse.File("photo of mary's garden.jpg", { base64: Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 256)).toString('base64') }, 'image/jpeg').save())
await attempt(Parse.Cloud.run('averageStars', { place: "O'Malley's Bar & Grill" }))
await attempt(Parse.Analytics.track('search', { priceRange: '1000-1500', source: 'craigslist', dayType: 'weekday' }))
await attempt(notes[1].destroy())
await attempt(Parse.User.current().save({ phone: '+44 20 7946 0958', address: "12/a St. John's Road; flat #4" }))
await attempt(Parse.User.requestPasswordReset('user0@example.org'))
await attempt(Parse.User.logOut())`,
  )
}

/** Programs ask for products and change them, in the language of OData. */
export const useOdata: Visit = async (origin) => {
  await runClient(
    origin,
    `const buildQuery = require('odata-query').default
const call = (method, path, body) => fetch(origin + path, { method, headers: { accept: 'application/json;odata.metadata=minimal', 'odata-version': '4.0', 'odata-maxversion': '4.0', ...(body && { 'content-type': 'application/json;odata.metadata=minimal;charset=UTF-8', prefer: 'return=representation' }) }, body: body && JSON.stringify(body) }).then((reply) => reply.text()).catch(() => '{}')
await call('GET', '/$metadata')
await call('GET', '/')
for (const words of texts.searches) {
  await call('GET', '/products' + buildQuery({ filter: { name: { contains: words } }, select: ['name', 'price'], top: 20 }))
  await call('GET', '/products' + buildQuery({ filter: { or: [{ name: { startswith: words } }, { description: { contains: words } }], and: [{ price: { gt: 5, lt: 90000 } }] }, orderBy: ['price desc', 'name'], skip: 10, count: true }))
}
await call('GET', "/products?$filter=tolower(name) eq 'kaffeemühle' and price le 60.0 or not contains(slug,'-')&$orderby=name asc&$top=5&$format=json")
await call('GET', "/products?$filter=year(createdAt) eq 2025 and substringof('Smith',company)&$inlinecount=allpages")
await call('GET', '/products?$apply=filter(price gt 10)/groupby((slug),aggregate(price with sum as Total))')
await call('GET', '/products/$count')
for (const product of texts.products) await call('POST', '/products', product)
for (const { title, text } of texts.posts.slice(0, 6)) await call('POST', '/products', { name: title, slug: title.toLowerCase().replace(/\\W+/g, '-'), description: text, price: 100 })
const { value = [{ _id: 'a1' }] } = JSON.parse(await call('GET', '/products?$top=3'))
for (const { _id } of value) { await call('GET', "/products('" + _id + "')"); await call('PATCH', "/products('" + _id + "')", { price: 1234, description: "It's back in stock – order by 5 p.m." }); }
await call('DELETE', "/products('" + value[0]._id + "')")
const batch = ['--batch_1', 'Content-Type: application/http', 'Content-Transfer-Encoding: binary', '', 'GET products?$filter=price%20gt%2010&$top=2 HTTP/1.1', 'Accept: application/json', '', '', '--batch_1--', ''].join('\\r\\n')
await fetch(origin + '/$batch', { method: 'POST', headers: { 'content-type': 'multipart/mixed; boundary=batch_1' }, body: batch }).catch(() => undefined)`,
  )
}

/** A client of JSON-RPC sends messages, several at once too, and notifications. */
export const useRemoteProcedures: Visit = async (origin) => {
  await runClient(
    origin,
    `const { Client } = require('jayson/promise')
const client = Client.http(origin)
for (const { title, text, author } of texts.posts) await client.request('messages.send', { to: [author], subject: title, body: text, options: { notify: true, expires: null } })
for (const words of texts.searches) await client.request('messages.search', [words, { limit: 10, order: 'date desc' }])
await client.request('profile.update', { name: "Siobhán O'Connor", home: '/home/siobhan', shell: '/bin/bash', signature: '-- \\nS. O\\'C.\\n<siobhan@example.org>' })
await client.request('system.exec_report', { name: 'monthly', columns: ['id', 'count(*)', 'sum(total)'], where: 'state = open', format: 'csv' })
await client.request([client.request('sum', [1, 2], undefined, false), client.request('messages.search', ['a | b'], undefined, false), client.request('messages.send', { to: [], body: texts.posts[2].text }, null, false)])
await client.request('sum', [3, 4], null)`,
  )
  await curl(
    '-H',
    'Content-Type: application/json-rpc',
    '-d',
    '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":"a-1"}',
    origin,
  )
}
