import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { newFolder } from '../../support/programs/server.ts'
import { curl } from '../clients.ts'
import { enter, inBrowser, type Visit } from '../visits.ts'
import { posts, searches } from './everyday-texts.ts'

/** People open tickets in Request Tracker, reply to them, search for them and change who has them. */
export const useTickets: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    await page.fill('input[name=user]', 'root')
    await page.fill('input[name=pass]', 'password')
    await enter(page, 'input[name=pass]')
    for (const { title, text } of posts.slice(0, 8)) {
      await page.goto(`${origin}/Ticket/Create.html?Queue=1`)
      await page.fill('input[name=Subject]', title)
      await page.evaluate(writeMessage, text)
      await send(page)
    }
    for (const [index, { text }] of posts.slice(4, 10).entries()) {
      await page.goto(
        `${origin}/Ticket/Update.html?id=${index + 1}&Action=${index % 2 === 0 ? 'Respond' : 'Comment'}`,
      )
      await page.evaluate(writeMessage, text)
      await send(page)
    }
    for (const query of [
      "Subject LIKE 'water' AND Status = 'open'",
      "Queue = 'General' AND ( Requestor.EmailAddress LIKE '@example.com' OR Owner = 'Nobody' )",
      "Created > '7 days ago' AND Content LIKE 'o\\'connor'",
    ])
      await page.goto(
        `${origin}/Search/Results.html?Format=${encodeURIComponent('\'<B><A HREF="__WebPath__/Ticket/Display.html?id=__id__">__id__</a></B>/TITLE:#\', Status')}&Order=ASC%7CASC&OrderBy=id%7C&Query=${encodeURIComponent(query)}&RowsPerPage=50`,
      )
    for (const words of searches)
      await page.goto(`${origin}/Search/Simple.html?q=${encodeURIComponent(words)}`)
    await page.goto(`${origin}/Search/Build.html?NewQuery=1`)
    await page.goto(`${origin}/Ticket/Modify.html?id=1`)
    await page.goto(`${origin}/Ticket/ModifyPeople.html?id=1`)
  })
  const cookies = join(newFolder(), 'cookies')
  await curl('-c', cookies, '-d', 'user=root&pass=password', `${origin}/REST/1.0/`)
  for (const { title, text } of posts.slice(8))
    await curl(
      '-b',
      cookies,
      '--data-urlencode',
      `content=id: ticket/new\nQueue: General\nRequestor: ann@example.org\nSubject: ${title}\nText: ${text.replaceAll('\n', '\n ')}\n`,
      `${origin}/REST/1.0/ticket/new`,
    )
  await curl(
    '-b',
    cookies,
    '-G',
    '--data-urlencode',
    "query=Status='new' AND Subject LIKE 'table'",
    '-d',
    'orderby=-Created&format=l',
    `${origin}/REST/1.0/search/ticket`,
  )
  await curl(
    '-u',
    'root:password',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify({
      Queue: 'General',
      Subject: posts[0]?.title,
      Content: posts[0]?.text,
      ContentType: 'text/html',
    }),
    `${origin}/REST/2.0/ticket`,
  )
  await curl(
    '-u',
    'root:password',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify([{ field: 'Subject', operator: 'LIKE', value: "what's" }]),
    `${origin}/REST/2.0/tickets`,
  )
}

/** Sends the form of a ticket. What Request Tracker then names is not at the recorder. */
async function send(page: Page): Promise<void> {
  const reply = page.waitForResponse((one) => one.request().method() === 'POST')
  await page.locator('input[name=SubmitTicket]').first().click()
  await reply
  await page.waitForLoadState('networkidle')
}

/** In the page of a ticket: writes into the editor, or into the field that it replaces. */
function writeMessage(text: string): void {
  const document = Reflect.get(globalThis, 'document')
  const editor = Object.values(Reflect.get(globalThis, 'CKEDITOR')?.instances ?? {})[0] as
    | { setData(html: string): void }
    | undefined
  const html = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .split('\n\n')
    .map((part) => `<p>${part.replaceAll('\n', '<br />\n')}</p>`)
    .join('\n')
  if (editor === undefined)
    document.querySelector('textarea[name=Content], textarea[name=UpdateContent]').value = text
  else editor.setData(html)
}
