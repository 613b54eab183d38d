import { mebibytes, residentBytesOf } from '@palisade/tests'

/** How often everything is gone through: the first time warms the server up. */
const times = 3

/**
 * Goes through whole lists page by page, several times, and prints what the server holds before and after each time: once it is warm, that does
 * not grow with the number of pages.
 *
 * @param server.pid of its process
 * @param lists addresses of first pages, with a query
 * @param ask asks for one page
 */
export async function printMemory(
  { pid, title }: { readonly pid: number; readonly title: string },
  lists: readonly string[],
  ask: (address: string) => Promise<{ readonly items: readonly unknown[]; readonly next: string | null }>,
): Promise<void> {
  const rows: string[] = []
  let [pages, items] = [0, 0]
  const note = (when: string) => {
    rows.push(`| ${when} | ${pages} | ${items} | ${mebibytes(residentBytesOf([pid]))} |`)
  }
  note('before')
  for (let time = 1; time <= times; time++) {
    for (const list of lists) {
      for (let address: string | undefined = list; address !== undefined; ) {
        const page = await ask(address)
        address = page.next === null ? undefined : `${list}&after=${page.next}`
        pages++
        items += page.items.length
      }
    }
    note(`after time ${time}`)
  }
  console.log(`\n${title}: resident memory of the server while all pages of all lists are read\n`)
  console.log('| | pages so far | items so far | RSS |\n|---|---|---|---|')
  for (const row of rows) console.log(row)
}
