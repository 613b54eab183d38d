import type { DatabaseWork } from './database-visit.ts'
import type { Article } from './wiki-visit.ts'

/*
 * What ordinary people write into the applications: about databases, systems and web pages, with quotes, commands and markup. The
 * first visitors are learnt from; the last ones write about the same sort of things, in other words.
 */

const articlesOfVisitors: readonly (readonly Article[])[] = [
  [
    {
      name: 'handbook:welcome',
      text: `====== Welcome ======

This is where we write down what's worth knowing; ask (politely) if something isn't here. It's //free// & open.

  - Log in, 2. click "Edit", 3. save
  - Mail [[office@example.org]] or call +49 30 1234-567`,
      summary: "It's a start",
      search: 'log in',
    },
    {
      name: 'handbook:databases',
      text: `====== Databases ======

We keep orders in PostgreSQL. To see who hasn't paid, **select** the rows from the table whose date is null:

<code sql>
SELECT name, total FROM orders WHERE paid_at IS NULL AND total > 100 ORDER BY total DESC;
</code>

Don't run ''DELETE FROM orders'' or ''DROP TABLE orders'' without asking, or 1=1 will be true for everybody.`,
      summary: "What you'd ask the database; or else",
      search: 'select orders',
    },
    {
      name: 'handbook:servers',
      text: `====== Servers ======

  * Log files are in /var/log, passwords in /etc/passwd; look with ''cat /etc/passwd | grep admin''
  * Restart with <code>sudo systemctl restart nginx && tail -f /var/log/syslog</code>
  * [[https://example.org/help?topic=servers&lang=en|Help]]`,
      summary: 'ls, cat & friends',
      search: '/etc/passwd',
    },
  ],
  [
    {
      name: 'handbook:pages',
      text: `====== Web pages ======

A script is written <html><script>alert('hello')</script></html>, a picture <html><img src="a.png" onerror="retry()"></html>.

^ Tag ^ Meaning ^
| <b> | bold |
| <a href="javascript:history.back()"> | back |`,
      summary: '<b>Tags</b> and "quotes"',
      search: '<script>',
    },
    {
      name: 'handbook:php',
      text: `====== PHP ======

<code php>
<?php
$name = $_GET['name'];
echo "Hello, " . htmlspecialchars($name);
file_get_contents('http://127.0.0.1/status');
system('uptime');
?>
</code>`,
      summary: 'system() and echo',
      search: 'file_get_contents',
    },
  ],
  [
    {
      name: 'handbook:queries',
      text: `====== More queries ======

Join two tables, then union the rest; it's quick:

<code sql>
SELECT c.name, COUNT(*) FROM customers c JOIN orders o ON o.customer = c.id GROUP BY c.name HAVING COUNT(*) > 3
UNION SELECT name, 0 FROM customers WHERE id NOT IN (SELECT customer FROM orders);
INSERT INTO notes VALUES (1, 'don''t forget');
</code>`,
      summary: "union & join, don't forget",
      search: 'union join',
    },
    {
      name: 'handbook:shell',
      text: `====== Shell ======

Download with ''wget https://example.org/file.tar.gz; tar xzf file.tar.gz'', find with ''find . -name "*.php" -exec grep -l eval {} \\;''
and remove with ''rm -rf /tmp/build''. Windows: ''cmd.exe /c dir C:\\Windows\\System32''.`,
      summary: 'wget, find, rm -rf',
      search: 'wget; tar',
    },
  ],
]

const lastArticles: readonly Article[] = [
  {
    name: 'team:lunch',
    text: `====== Lunch ======

On Fridays we order pizza. Who's in? Add your name below, **one line each**; we don't mind (much) who pays.

  - Anna & Bob: Margherita, 50/50
  - D'Angelo: "the usual"`,
    summary: "Friday's list",
    search: 'pizza or pasta',
  },
  {
    name: 'team:holidays',
    text: `====== Holidays ======

^ Who ^ From ^ To ^
| Anna | 2026-07-01 | 2026-07-15 |
| Chris | 2026-08-03 | n/a |

Mail [[anna@example.org]] or see [[https://example.org/calendar?year=2026&month=7#top]].`,
    summary: 'Dates -- please check!',
    search: 'July 2026',
  },
  {
    name: 'team:reports',
    text: `====== Reports ======

Every Monday somebody asks for open invoices. That's how:

<code sql>
SELECT customer, SUM(amount) FROM invoices WHERE due < CURRENT_DATE AND state = 'open' GROUP BY customer;
UPDATE invoices SET state = 'late' WHERE due < CURRENT_DATE OR amount = 0;
</code>

Never drop the table; a view isn't as dangerous.`,
    summary: "It's for Mondays; select & sum",
    search: 'select invoices',
  },
  {
    name: 'team:website',
    text: `====== Website ======

The counter is <html><script src="/counter.js"></script></html> and the form <html><form onsubmit="return check(this)"></html>.
Logs: ''grep 404 /var/log/nginx/access.log | sort | uniq -c''. Configuration: ''../conf/site.php'' and ''/etc/hosts''.

<code php>
<?php
include 'header.php';
echo $_POST['message'];
?>
</code>`,
    summary: '<form> and onsubmit="check"',
    search: '<form onsubmit>',
  },
]

/** Of somebody else again, about other things. */
const laterArticles: readonly Article[] = [
  {
    name: 'minutes:may',
    text: `====== Minutes of May ======

Present: Anna, Bob, D'Angelo; absent: Chris (ill).

  * Budget: 12,500 EUR of 40,000 EUR are spent, i.e. 31%; "not bad", says Anna.
  * Who'll order the chairs? Select two or three offers, then we'll vote.
  * Next meeting: 2026-06-02, 10:30 -- or a day later & in another room.`,
    summary: 'Minutes; who was there, and what we chose',
    search: 'budget 2026',
  },
  {
    name: 'minutes:tools',
    text: `====== Version control ======

Clone with ''git clone git@example.org:team/site.git && cd site'', and before you push:

<code bash>
git fetch origin; git rebase origin/main
git log --oneline -n 5 | cat
npm test > /tmp/test.log 2>&1 || echo "broken"
</code>

Never ''git push --force'' on Fridays.`,
    summary: "How to push, and when you shouldn't",
    search: 'git rebase',
  },
  {
    name: 'minutes:style',
    text: `====== Style sheet ======

Headings are green since May:

<code css>
h1 { color: #2a7; background: url('/img/leaf.png') no-repeat; }
a:hover::after { content: " »"; }
</code>

In templates write <html><b class="note">Note:</b></html>, never <html><font color="red"></html>.`,
    summary: '<b> instead of <font>; colours',
    search: '<b> or <strong>',
  },
  {
    name: 'minutes:figures',
    text: `====== Figures ======

The sheet has =SUM(B2:B14)/COUNT(B2:B14) in C3 and =IF(A1>100;"large";"small") in D1. From the shop:

<code sql>
SELECT month, COUNT(*) AS orders FROM orders WHERE year = 2026 GROUP BY month HAVING COUNT(*) > 10 ORDER BY month;
</code>

Don't sort by hand: 50% of all mistakes come from that!`,
    summary: 'Count & sum; group by month, order by year',
    search: 'orders by month',
  },
  {
    name: 'minutes:python',
    text: `====== Scripts ======

Reports come from a script that runs each night:

<code python>
import os, subprocess
path = os.path.join(os.environ['HOME'], 'reports')
print("%s: %d files" % (path, len(os.listdir(path))))
subprocess.run(['gzip', '-9', path + '/may.csv'])
</code>

If it's late, call Bob (or wait); he'll start it again.`,
    summary: 'The night script: start, stop and who to call',
    search: 'import os',
  },
  {
    name: 'minutes:network',
    text: `====== Network ======

The printer is at 192.168.10.20, the scanner at http://192.168.10.21:8080/scan?mode=colour&dpi=300.

  - Open a shell, type ''ping 192.168.10.20'' or ''curl -I http://printer.local/''
  - No answer? Then ''ip addr show | grep inet'', and look whether you're in the right network.
  - Still nothing: ask Chris; he knows (nearly) everything.`,
    summary: "Printer & scanner: if they don't answer",
    search: 'printer or scanner',
  },
]

/** Full of commands and statements, also in summaries and searches; nothing was made to fit them. */
const articlesAboutTechnology: readonly Article[] = [
  {
    name: 'garden:tomatoes',
    text: `====== Tomatoes ======

Sow in March; plant out after the ice saints (15 May). Don't water from above -- it's bad for the leaves.

  * 2 l of water per plant & day
  * union of compost and sand, 3:1`,
    summary: 'How to sow; when to water, and why not from above',
    search: 'water & compost',
  },
  {
    name: 'garden:api',
    text: `====== Weather API ======

Ask ''curl "https://api.example.org/v1/weather?lat=48.2&lon=16.4"'' and get JSON:

<code javascript>
const data = JSON.parse(text);
if (data.temp < 0 || data.wind > 20) alert("Cover the plants!");
document.title = data.temp + ' °C';
</code>`,
    summary: "API of the weather service; don't ask too often",
    search: 'JSON.parse',
  },
  {
    name: 'garden:database',
    text: `====== Plants in the database ======

<code sql>
ALTER TABLE plants ADD COLUMN sown DATE;
SELECT name FROM plants WHERE sown BETWEEN '2026-03-01' AND '2026-04-30' OR name LIKE 'T%';
DELETE FROM plants WHERE dead = 1 AND note IS NULL;
</code>

Back up before!`,
    summary: "New column 'sown'; select by month",
    search: 'alter table',
  },
  {
    name: 'garden:pump',
    text: `====== Pump ======

The pump runs from /opt/pump/run.sh; crontab: ''0 6 * * * /opt/pump/run.sh >> /var/log/pump.log 2>&1''.
Stop it with ''sudo kill -9 $(pidof pump)'' or pull the plug.`,
    summary: 'Pump: start, stop & log',
    search: 'crontab pump',
  },
  {
    name: 'garden:shop',
    text: `====== Order ======

^ What ^ Count ^ Price ^
| Spade | 2 | 19.90 € |
| Seeds (mixed) | 10 | 2,50 € |

Send to orders@example.com, "urgent" in the subject; ask for O'Brien.`,
    summary: "For O'Brien; 2 spades, 10 seeds",
    search: "O'Brien's order",
  },
  {
    name: 'garden:page',
    text: `====== Our page ======

The gallery is <html><iframe src="https://photos.example.org/embed?id=7"></iframe></html> and the menu
<html><ul onclick="toggle(this)"><li>Home</li></ul></html>.
In PHP: <code php><?php foreach (glob('img/*.jpg') as $f) { echo "<img src='$f'>"; } ?></code>`,
    summary: 'iframe for <em>photos</em>, list for the menu',
    search: '<iframe>',
  },
  {
    name: 'garden:windows',
    text: `====== Windows computer ======

Open ''cmd.exe'', then ''ipconfig /all & ping 10.0.0.1''. In PowerShell: ''Get-ChildItem C:\\Users | Where-Object { $_.Length -gt 1MB }''.`,
    summary: 'ipconfig & ping; who to ask',
    search: 'ipconfig; ping',
  },
  {
    name: 'garden:jokes',
    text: `====== Jokes ======

"Knock, knock." -- "Who's there?" -- "Bobby'); DROP TABLE students;--"

There are 10 kinds of people: those who understand binary, and those who don't.`,
    summary: "Bobby's joke; sorry!",
    search: 'drop table students',
  },
]

export const learntArticles = articlesOfVisitors
export const newArticles = lastArticles
export const otherArticles = laterArticles
export const technicalArticles = articlesAboutTechnology

type Work = Omit<DatabaseWork, 'database'>

/** Work with tables of different names, so that visitors do not meet. */
export function databaseWork(table: string, isNew: boolean): Work {
  return {
    table,
    commands: [
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, note TEXT)`,
      ...(isNew ? newCommands(table) : learntCommands(table)),
    ],
    rows: isNew
      ? [
          { name: 'Chair', note: "The seat isn't leather; legs = 4" },
          { name: "O'Neill & Sons", note: 'Select one or the other, <b>not</b> both -- see page 2' },
        ]
      : [
          { name: 'Lamp', note: "It's bright; 60 W or more" },
          { name: "D'Arcy <desk>", note: 'Union of wood and "steel"; /* select */ quality' },
        ],
  }
}

function learntCommands(table: string): string[] {
  return [
    `INSERT INTO ${table} (name, note) VALUES ('Table', 'round'), ('Shelf', 'it''s high')`,
    `SELECT * FROM ${table} WHERE name LIKE '%a%' OR note IS NULL`,
    `SELECT name, COUNT(*) FROM ${table} GROUP BY name UNION SELECT 'all', COUNT(*) FROM ${table}`,
    `UPDATE ${table} SET note = upper(note) WHERE id = 1; DELETE FROM ${table} WHERE id > 100`,
    `SELECT sqlite_version(), (SELECT group_concat(name, ', ') FROM sqlite_master WHERE type = 'table')`,
    `EXPLAIN QUERY PLAN SELECT * FROM ${table} a JOIN ${table} b ON a.id = b.id WHERE a.id BETWEEN 1 AND 5`,
  ]
}

function newCommands(table: string): string[] {
  return [
    `INSERT INTO ${table} (name, note) VALUES ('Mirror', 'isn''t cheap'), ('Clock', NULL)`,
    `SELECT id, name FROM ${table} WHERE note LIKE 'i%' OR name = 'Clock' ORDER BY name DESC LIMIT 10`,
    `SELECT substr(name, 1, 3), length(note) FROM ${table} UNION ALL SELECT 'sum', SUM(id) FROM ${table}`,
    `UPDATE ${table} SET name = lower(name) WHERE id IN (SELECT id FROM ${table} WHERE note IS NULL)`,
    `DROP TABLE IF EXISTS ${table}_old; CREATE VIEW ${table}_view AS SELECT name FROM ${table}`,
  ]
}
