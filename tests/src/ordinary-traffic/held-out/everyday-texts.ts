/** Something that people write: a post, a comment, a ticket, the description of a product. */
export interface EverydayText {
  readonly title: string
  /** Markdown, as people type it. */
  readonly text: string
  readonly author: string
}

/** Posts, comments and tickets, in several languages, some with code. */
export const posts: readonly EverydayText[] = [
  {
    title: "What's the best way to water tomatoes in August?",
    text: "We've been away for two weeks & the neighbour's kids watered them… or so they say :-)\n\nThe leaves are yellow at the edges (see photo). Is it too much water, or not enough? I read that one should water *in the morning*, never at noon; my father-in-law does it at 9 p.m. and his are 2 m high!",
    author: "Siobhán O'Connor",
  },
  {
    title: 'Minutes of the meeting, 12 March',
    text: '## Present\n\n- Ann\n- Bob (from 10:15)\n- D. van der Berg\n\n## Decisions\n\n1. The budget (€ 12,500) is accepted; 4 for, 1 against.\n2. We select a new supplier from the list by the end of the month.\n3. The old tables and chairs: drop them off at the depot, or give them away.\n\n| Who | What | Until |\n|---|---|---|\n| Ann | write to the bank | 15/03 |\n| Bob | order paper | 20/03 |',
    author: 'Ann Lee',
  },
  {
    title: 'Build fails on Windows since last week',
    text: "Since commit `4f2a91c` I get this:\n\n```\nerror TS2307: Cannot find module './config' or its corresponding type declarations.\n    at C:\\Users\\jo\\src\\app\\index.ts:12:24\nnpm ERR! code ELIFECYCLE\n```\n\nSteps:\n\n1. `git clone https://example.org/app.git && cd app`\n2. `npm ci`\n3. `npm run build -- --verbose`\n\nOn Linux all is fine. Does anybody else see this?",
    author: 'jo_87',
  },
  {
    title: 'Slow query on the orders page',
    text: "The page takes 8 s. The log says:\n\n```sql\nSELECT o.id, o.placed_at, c.name\nFROM orders o JOIN customers c ON c.id = o.customer_id\nWHERE o.state <> 'done' AND o.placed_at > now() - interval '30 days'\nORDER BY o.placed_at DESC LIMIT 50;\n```\n\nI think that an index on `(state, placed_at)` would help. Can someone with access to production run `EXPLAIN ANALYZE`?",
    author: 'Magnus Ødegård',
  },
  {
    title: 'Übergabe der Wohnung am 1. Juni',
    text: 'Guten Tag Frau Müller,\n\nwie besprochen treffen wir uns um 14 Uhr in der Hauptstraße 12/a. Bitte bringen Sie die Schlüssel (3 Stück) mit; die Zählerstände lesen wir gemeinsam ab. „Besenrein“ genügt.\n\nMit freundlichen Grüßen\nK. Groß',
    author: 'Karl Groß',
  },
  {
    title: 'Recette : gâteau au yaourt de mamie',
    text: "Ingrédients (pour 6 personnes) :\n\n* 1 pot de yaourt nature\n* 2 pots de sucre, 3 pots de farine\n* ½ pot d'huile, 3 œufs, 1 sachet de levure\n\nMélanger le tout ; cuire 35 min à 180 °C. C'est prêt dès que la pointe d'un couteau ressort sèche. L'été, j'ajoute des framboises !",
    author: "Éloïse d'Aubigné",
  },
  {
    title: 'Не работает печать после обновления',
    text: 'Здравствуйте! После вчерашнего обновления принтер на втором этаже не отвечает. Перезагрузка не помогла, ошибка 0x0000011b. Подскажите, пожалуйста, что делать?',
    author: 'Ольга Иванова',
  },
  {
    title: '東京でおすすめのラーメン屋はどこですか？',
    text: '来週、出張で東京に行きます。新宿駅の近くで、夜10時以降も開いている店を探しています。予算は1,500円くらい。よろしくお願いします！',
    author: '田中 太郎',
  },
  {
    title: 'How do I centre a box?',
    text: 'I tried `margin: 0 auto;` and `<div align="center">`, but it sticks to the left.\n\n```html\n<div class="box">\n  <p>Hello</p>\n</div>\n```\n\n```css\n.box { display: flex; width: 50%; }\n```\n\nThe answer at https://example.com/questions/114543/how-to-centre?page=2#c7 did not help.',
    author: 'webdev<3',
  },
  {
    title: 'RE: Invoice 2025-0117',
    text: "Dear Sir or Madam,\n\n> Please find attached our invoice.\n\nThank you. The sum doesn't match our order: it's 1.190,00 EUR instead of 1.090,00 EUR (10 pcs @ 109). Could you check & send a corrected one?\n\nKind regards,\nJ. D'Souza -- Accounts\nTel. +44 (0)20 7946 0958 | accounts@example.com",
    author: "Jacinta D'Souza",
  },
  {
    title: 'Cron job for backups – is this right?',
    text: 'In my crontab:\n\n    0 3 * * * /usr/local/bin/backup.sh > /var/log/backup.log 2>&1\n\nand the script is\n\n```sh\n#!/bin/bash\nset -euo pipefail\ntar -czf "/mnt/nas/home-$(date +%F).tar.gz" /home\nfind /mnt/nas -name "*.tar.gz" -mtime +30 -delete\n```\n\nIt works by hand, but not at night. What am I missing?',
    author: 'Petr Novák',
  },
  {
    title: 'Selling: oak table, 180 × 90 cm',
    text: 'Solid oak, a few scratches (see pictures), otherwise as new. New price: 899,- ; asking 350 or best offer. Collect in person from 7 Saint Mary\'s Road, Apt. #4; cash or transfer. No swaps, no "what is your last price?" please!',
    author: 'Mary-Jane W.',
  },
]

/** Pieces of the posts that have code in them, by which a request with such a post is told. */
export const piecesOfCode = ['error TS2307', 'o.placed_at', 'class="box"', 'tar -czf'] as const

/** Things that a shop sells. */
export const products = [
  {
    name: 'Men\'s 5" running shorts "Breeze"',
    slug: 'mens-running-shorts-breeze',
    description:
      "<p>Light &amp; quick to dry: 100% recycled polyester, 120 g/m².</p><ul><li>Two side pockets</li><li>Wash at 30 °C; don't tumble dry</li></ul>",
    price: 3499,
  },
  {
    name: 'Kaffeemühle „Wien“ – Edelstahl',
    slug: 'kaffeemuehle-wien',
    description:
      '<p>Für 2–4 Tassen. <strong>Maße:</strong> 19 × 5,5 cm. <a href="https://www.example.org/anleitung.pdf" target="_blank">Anleitung (PDF)</a></p>',
    price: 5990,
  },
  {
    name: "Children's book: The Union of Cats and Dogs",
    slug: 'the-union-of-cats-and-dogs',
    description:
      '<p>“Select a friend,” said the cat, “from all the animals where you live.” From age 4. 32 pages. ISBN 978-0-00-000000-2.</p>',
    price: 1295,
  },
] as const

/** Whoever orders something, with an address that is hard for forms. */
export const customers = [
  {
    firstName: 'Siobhán',
    lastName: "O'Connor",
    company: 'Smith & Sons -- Ltd.',
    streetLine1: "12/a St. John's Road",
    streetLine2: 'c/o Mr. & Mrs. O\'Neill; ring "twice"',
    city: "King's Lynn",
    postalCode: 'PE30 1AA',
    phoneNumber: '+44 (0)1553 555-0199',
    emailAddress: "siobhan.o'connor+shop@example.com",
    note: "Please don't leave it at the door; the dog eats parcels :)",
  },
  {
    firstName: 'Jürgen',
    lastName: 'Groß-Özdemir',
    company: '',
    streetLine1: 'Straße des 17. Juni 135',
    streetLine2: '3. OG links',
    city: 'Berlin',
    postalCode: '10623',
    phoneNumber: '030/555 01 99',
    emailAddress: 'j.gross@example.de',
    note: 'Bitte zwischen 8–12 Uhr, oder bei Müller (EG) abgeben.',
  },
] as const

/** What people type into fields for searches. */
export const searches = [
  "o'connor",
  'tomatoes AND water',
  '"running shorts" size:M',
  'c++ vs. c#',
  'price < 50',
  'a & b',
  'naïve café',
  'foo OR bar -baz',
  'select from menu',
  '50% off',
] as const
