import { notebookPassword } from '../applications/notebook-server.ts'

/** What somebody does with notebooks in a browser. */
export interface NotebookWork {
  readonly password: string
  /** A table of numbers with the columns `name` and `amount`. */
  readonly file: { readonly name: string; readonly text: string }
  /** Python for the cells, and what their output has to show. */
  readonly cells: readonly { readonly source: string; readonly shows: string }[]
  /** Markdown for the last cell, and the text of its heading. */
  readonly note: { readonly source: string; readonly heading: string }
  readonly name: string
}

/*
 * What people do with notebooks: code and notes about databases, files and web pages. The first is learnt from; the second is the same
 * sort of work in other words.
 */

const password = notebookPassword

/** @param name of notebook and file, since visitors must not meet */
export const learntWork = (name: string): NotebookWork => ({
  password,
  file: { name: `${name}.csv`, text: 'name,amount\nlamp,3\ndesk,4\n' },
  cells: [
    {
      source: `import csv, os
rows = list(csv.DictReader(open('${name}.csv')))
print('sum:', sum(int(row['amount']) for row in rows))`,
      shows: 'sum: 7',
    },
    {
      source: `import sqlite3
shop = sqlite3.connect(':memory:')
shop.execute("CREATE TABLE amounts (name TEXT, amount INTEGER)")
shop.executemany("INSERT INTO amounts VALUES (?, ?)", [(row['name'], row['amount']) for row in rows])
shop.execute("SELECT name FROM amounts WHERE amount > 3 OR name = 'chair' UNION SELECT 'all' FROM amounts").fetchall()`,
      shows: "[('all',), ('desk',)]",
    },
    {
      source: `from IPython.display import HTML
HTML('<b>rich</b> <a href="/tree">files</a><script>document.title</script>')`,
      shows: 'rich files',
    },
    {
      source: `!grep lamp ${name}.csv | sort; echo 'done'`,
      shows: 'done',
    },
  ],
  note: {
    source: `# Sums

Users are in /etc/passwd; see <a href="/tree">files</a>, and remove with \`rm -rf build; ls\`.`,
    heading: 'Sums',
  },
  name,
})

/** Work of which the rules have seen nothing while they learnt. */
export const newWork: NotebookWork = {
  password,
  file: { name: 'weights.csv', text: 'name,weight\nmirror,12\nclock,8\n' },
  cells: [
    {
      source: `import json
with open('weights.csv') as file:
    weights = dict(line.strip().split(',') for line in file.readlines()[1:])
print(json.dumps(weights))`,
      shows: '{"mirror": "12", "clock": "8"}',
    },
    {
      source: `import sqlite3
house = sqlite3.connect(':memory:')
house.execute("CREATE TABLE things (name TEXT, weight INTEGER)")
house.executemany("INSERT INTO things VALUES (?, ?)", weights.items())
house.execute("SELECT COUNT(*) FROM things WHERE weight < 10 UNION SELECT MAX(weight) FROM things").fetchall()`,
      shows: '[(1,), (12,)]',
    },
    {
      source: `from IPython.display import HTML
HTML('<i>heavy</i> <a href="/tree">things</a><script>document.body</script>')`,
      shows: 'heavy things',
    },
    {
      source: "!grep mirror weights.csv | wc -l && echo 'counted'",
      shows: 'counted',
    },
  ],
  note: {
    source: `# Weights

Hosts are in /etc/hosts; see <a href="/tree">things</a>, and look with \`ls -l; cat weights.csv\`.`,
    heading: 'Weights',
  },
  name: 'Weights',
}
