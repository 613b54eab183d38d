/** What people write, search for and buy on the pages of these recordings. */
export const searches = [
  'garden chair (oak, 2 pieces)',
  "women's rain coat size 10-12",
  'Öl & Pinsel für Anfänger',
  'стул для сада или дачи',
  '椅子 木製 おしゃれ',
  'كرسي حديقة خشبي',
  'ギフト 🎁 誕生日',
  'c# or java: which to learn?',
  "l'été d'après",
  '3/4" pipe & 1/2" elbow',
  'select comfort bed union jack',
  'union station hotel from 12 to 15 march',
]

export const comments = [
  'Delivered on time; but the legs (2 of 4) are loose :-( I\'ve asked for a refund -- no answer. "Not again!"',
  'Sehr schön! Größe M passt (bin 1,72 m / 65 kg); Lieferung in <3 Tagen, 100 % zufrieden.',
  "Très bon produit, je l'ai reçu en 2 jours… sauf qu'il manquait la notice & les vis. Merci d'avance !",
  'Отличный стул, заказали ещё два. Доставка — 3 дня; курьер вежливый. Спасибо!',
  'とても良い椅子です。組み立ても10分で終わりました(^^)/ また買います。',
  'Hi, could you drop the price or select another table for me? I want to order 2; from 10 to 12 pcs. Where is order #1042?',
  'Tel: +44 (0)20 7946 0958 – call before 9:00 or after 17:30; ask for Ann. Thx 👍🏽',
  'See https://www.example.org/en/faq?topic=returns&lang=en#q3 and "Terms & Conditions" §4(b).',
]

export const people = [
  {
    name: "Siobhán O'Connor",
    email: 'siobhan.oconnor+shop@example.org',
    street: "12/a St. Mary's Rd.",
    city: 'Dún Laoghaire',
    zip: 'A96 X7Y2',
    phone: '+353 (0)1 555 0134',
  },
  {
    name: 'Karl-Heinz Groß',
    email: 'k.gross@example.org',
    street: 'Hauptstr. 5, 2. OG links',
    city: 'Köln',
    zip: '50667',
    phone: '0221/555-0199',
  },
  {
    name: 'Ирина Петрова',
    email: 'irina@example.org',
    street: 'ул. Ленина, д. 5, кв. 12',
    city: 'Москва',
    zip: '101000',
    phone: '+7 (495) 555-01-42',
  },
  {
    name: '山田 太郎',
    email: 'taro@example.org',
    street: '神宮前1-2-3 コーポ205号',
    city: '渋谷区',
    zip: '〒150-0001',
    phone: '03-5555-0123',
  },
]

export const product = {
  id: 'CH-104/2',
  sku: 'CH-104/2',
  name: 'Garden chair “Åse” – oak, 2 pieces',
  price: 129.9,
  currency: 'EUR',
  quantity: 2,
  brand: 'Ann & Sons',
  category: 'Garden > Chairs',
  url: 'https://www.example.org/en/garden/chairs/ase-oak-2?color=oak&size=2',
}

export const article =
  '<h2>How to choose a chair</h2><p>First: <strong>sit on it</strong>. Don\'t trust pictures (or <a href="https://www.example.org/blog?id=7&amp;lang=en" target="_blank" rel="noopener">reviews</a>).</p>' +
  '<ul><li>Height: 45–48&nbsp;cm</li><li>Weight &lt; 6 kg</li></ul><p style="text-align: center;"><img src="/uploads/2024/06/chair.jpg" alt="A chair" width="640" height="480"></p><blockquote>“Form follows function” – L. Sullivan</blockquote>'

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const collector = 'https://collect.example.org'

/** Sends and forgets. */
export const send = (address, init = {}) =>
  fetch(address, { credentials: 'include', ...init }).then(
    (reply) => reply.text(),
    () => '',
  )

export const json = (body, type = 'application/json', more = {}) => ({
  method: 'POST',
  headers: { 'content-type': type, ...more },
  body: JSON.stringify(body),
})

export const form = (values) => ({
  method: 'POST',
  headers: {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'x-requested-with': 'XMLHttpRequest',
  },
  body: new URLSearchParams(values).toString(),
})

/** As a pixel asks for it. */
export const pixel = (address) =>
  new Promise((resolve) => {
    const image = new Image()
    image.onload = image.onerror = resolve
    image.src = address
  })
