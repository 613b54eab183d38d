import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { eventually } from '../programs/calls.ts'
import type { NotebookWork } from './notebook-work.ts'

/**
 * Fails to log in, logs in, uploads a file, makes a notebook, runs cells, renames, saves and downloads the notebook, and logs out.
 *
 * @returns the notebook as it was downloaded
 */
export async function visitNotebooks(page: Page, origin: string, work: NotebookWork): Promise<string> {
  await page.goto(origin)
  await logIn(page, 'wrong horse')
  await page.locator('.message.error', { hasText: 'Invalid credentials' }).waitFor()
  await logIn(page, work.password)
  await upload(page, work.file)
  const notebook = await newNotebook(page)
  for (const cell of work.cells) await run(notebook, cell)
  await annotate(notebook, work.note)
  await rename(notebook, work.name)
  const text = await download(notebook)
  await notebook.close()
  await logOut(page)
  return text
}

/** On the page that asks for the password. */
export async function logIn(page: Page, password: string): Promise<void> {
  await page.fill('#password_input', password)
  await page.click('#login_submit')
}

async function upload(page: Page, { name, text }: NotebookWork['file']): Promise<void> {
  await page.locator('#notebook_list_header').waitFor()
  await page.locator('input.fileinput').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  await page.locator('.upload_button').first().click()
  await page.locator('a.item_link', { hasText: name }).waitFor()
}

/** @returns its page, once its kernel is ready */
async function newNotebook(page: Page): Promise<Page> {
  await page.click('#new-dropdown-button')
  const opened = page.waitForEvent('popup')
  await page.click('#kernel-python3 a')
  const notebook = await opened
  await notebook.locator('.kernel_idle_icon').waitFor()
  return notebook
}

/** Types into the last cell and runs it, which makes another one. */
async function run(notebook: Page, { source, shows }: NotebookWork['cells'][number]): Promise<void> {
  await typeIntoLastCell(notebook, source)
  await notebook.keyboard.press('Shift+Enter')
  await notebook.locator('.output_area', { hasText: shows }).last().waitFor()
}

async function typeIntoLastCell(notebook: Page, source: string): Promise<void> {
  await notebook.locator('.cell').last().locator('.CodeMirror').click()
  await notebook.keyboard.insertText(source)
}

/** Makes the last cell one of text, and shows it as it is meant. */
async function annotate(notebook: Page, { source, heading }: NotebookWork['note']): Promise<void> {
  await typeIntoLastCell(notebook, source)
  await notebook.selectOption('#cell_type', 'markdown')
  await notebook.keyboard.press('Shift+Enter')
  await notebook.locator('.rendered_html h1', { hasText: heading }).waitFor()
}

async function rename(notebook: Page, name: string): Promise<void> {
  await notebook.click('#notebook_name')
  const field = notebook.locator('.modal-dialog input[type=text]')
  await field.fill(name)
  await notebook.click('.modal-footer .btn-primary')
  await notebook.locator('#notebook_name', { hasText: name }).waitFor()
}

/** Saves, and downloads what was saved. */
async function download(notebook: Page): Promise<string> {
  await notebook.click('#save-notbook button')
  await notebook.locator('.checkpoint_status', { hasText: 'Last Checkpoint' }).waitFor()
  const downloads: Download[] = []
  notebook.once('popup', (opened) => opened.once('download', (download) => downloads.push(download)))
  await notebook.click('#filelink')
  await notebook.hover('li.dropdown-submenu:has(#download_notebook)')
  await notebook.click('#download_notebook a')
  const file = await eventually('a download', async () => downloads[0])
  assert.equal(await file.failure(), null)
  return readFileSync(await file.path(), 'utf8')
}

async function logOut(page: Page): Promise<void> {
  await page.bringToFront()
  await page.click('#logout')
  await page.getByText('Successfully logged out').waitFor()
}
