import { comments, form, json, people, product, searches, send } from './content.js'
import { useOf } from './use.js'

const origin = 'https://search.example.org'
const facets = {
  facetFilters: [['color:oak', 'color:"dark oak"'], 'brand:Ann & Sons'],
  numericFilters: ['price>=10', 'price<=250'],
}
/** What somebody has typed after each pause. */
const typed = (text) =>
  [Math.ceil(text.length / 3), Math.ceil(text.length / 1.5), text.length].map((end) => text.slice(0, end))
const each = async (list, ask) => {
  for (const one of list) await Promise.resolve(ask(one)).catch(() => undefined)
}

/** Clients of search services and of services that keep data. */
const libraries = {
  algolia: async () => {
    const { liteClient } = await import('algoliasearch/lite')
    const client = liteClient('APP1234567', '8f2a9c41d0b7e35f66a1c2d3e4f50617', {
      hosts: [{ url: 'search.example.org', accept: 'readWrite', protocol: 'https' }],
    })
    await each(searches.slice(0, 6).flatMap(typed).slice(0, 10), (query) =>
      client.search({
        requests: [
          {
            indexName: 'products_price_asc',
            query,
            hitsPerPage: 20,
            highlightPreTag: '<mark>',
            highlightPostTag: '</mark>',
            clickAnalytics: true,
            facets: ['*'],
            ...facets,
          },
        ],
      }),
    )
    await send(
      `${origin}/1/events?x-algolia-application-id=APP1234567`,
      json(
        {
          events: [
            {
              eventType: 'click',
              eventName: 'Item clicked',
              index: 'products',
              objectIDs: [product.id],
              positions: [1],
              queryID: '8f2a9c41',
              userToken: 'anonymous-18fff8a9',
            },
          ],
        },
        'text/plain',
      ),
    )
  },
  meilisearch: async () => {
    const { Meilisearch } = await import('meilisearch')
    const index = new Meilisearch({ host: origin, apiKey: 'key' }).index('products')
    await each(searches.slice(0, 6), (query) =>
      index.search(query, {
        filter: ['price >= 10 AND price < 250', 'brand = "Ann & Sons" OR brand IN ["Groß", "O\'Neill"]'],
        sort: ['price:asc'],
        facets: ['*'],
        attributesToHighlight: ['*'],
      }),
    )
    await index
      .searchGet?.(searches[7], {
        filter: 'genres = horror AND (director = "Jordan Peele" OR NOT year EXISTS)',
      })
      .catch(() => undefined)
  },
  typesense: async () => {
    const { Client } = await import('typesense')
    const client = new Client({
      nodes: [{ host: 'search.example.org', port: 443, protocol: 'https' }],
      apiKey: 'key',
      numRetries: 0,
    })
    await each(searches.slice(0, 6), (q) =>
      client.collections('products').documents().search(
        {
          q,
          query_by: 'name,description',
          filter_by: 'price:[10..250] && brand:=[`Ann & Sons`,Groß]',
          sort_by: '_text_match:desc,price:asc',
          facet_by: 'color',
        },
        {},
      ),
    )
    await client.multiSearch
      .perform({ searches: [{ collection: 'products', q: searches[0] }] }, { query_by: 'name' })
      .catch(() => undefined)
  },
  'documented-elasticsearch': () =>
    each(searches.slice(0, 7), (query) => {
      const body = {
        query: {
          bool: {
            must: [{ multi_match: { query, fields: ['name^3', 'text'] } }],
            filter: [
              { range: { price: { gte: 10, lt: 250 } } },
              { terms: { 'brand.keyword': ['Ann & Sons'] } },
            ],
            must_not: [{ exists: { field: 'sold_out' } }],
          },
        },
        aggs: { colors: { terms: { field: 'color', size: 20 } } },
        sort: [{ _score: 'desc' }],
        highlight: { fields: { '*': {} } },
        _source: ['name', 'price'],
      }
      return query.length % 2
        ? send(`${origin}/products/_search?filter_path=hits.hits._source`, json(body))
        : send(`${origin}/_msearch`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-ndjson' },
            body: `{"index":"products","preference":"18fff8a9"}\n${JSON.stringify(body)}\n`,
          })
    }),
  'documented-solr': () =>
    each(searches, (query) => {
      const params = new URLSearchParams({
        q: query,
        'q.op': 'AND',
        wt: 'json',
        defType: 'edismax',
        qf: 'name^3 text',
        'facet.field': 'color',
        sort: 'score desc, price asc',
        'json.nl': 'map',
        fl: '*,score',
        rows: '20',
      })
      params.append('fq', 'price:[10 TO 250]')
      params.append('fq', '{!tag=brand}brand:("Ann & Sons" OR "Groß")')
      return send(`${origin}/solr/products/select?${params}`)
    }),
  supabase: async () => {
    const { createClient } = await import('@supabase/supabase-js')
    const client = createClient(
      'https://data.example.org',
      'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmVk',
    )
    await client
      .from('orders')
      .select('id,placed_at,customer:customers(name,email),lines!inner(*)')
      .eq('state', 'open')
      .gte('total', 10)
      .order('placed_at', { ascending: false })
      .range(0, 19)
    await client
      .from('products')
      .select('*', { count: 'exact' })
      .or('name.ilike.*chair*,and(price.gte.10,price.lt.250),tags.cs.{oak,"2 pcs"}')
      .in('brand', ['Ann & Sons', "O'Neill"])
    await client
      .from('products')
      .select('name')
      .textSearch('name', "'garden' & 'chair'", { type: 'websearch' })
    await client
      .from('comments')
      .insert(comments.map((text, index) => ({ text, author: people[index % 4].name })))
    await client.from('profiles').upsert(people).select()
    await client.rpc('search_products', { term: searches[1], filters: { price: { gte: 10 } } })
    await client.auth.signInWithPassword({
      email: people[0].email,
      password: "Corr3ct;horse'battery--staple",
    })
    await client.storage
      .from('photos')
      .upload(`ann's photos/été 1.jpg`, new Blob(['\xff\xd8\xff']), { upsert: true })
  },
  firestore: async () => {
    const { initializeApp } = await import('firebase/app')
    const store = await import('firebase/firestore/lite')
    const database = store.getFirestore(
      initializeApp({ projectId: 'shop-1042', apiKey: 'AIzaSyKx0Yw2mQ3cX1b7' }),
    )
    await store
      .addDoc(store.collection(database, 'comments'), {
        text: comments[2],
        at: new Date(),
        author: people[0],
      })
      .catch(() => undefined)
    await store
      .getDocs(
        store.query(
          store.collection(database, 'products'),
          store.where('price', '>=', 10),
          store.orderBy('price'),
          store.limit(20),
        ),
      )
      .catch(() => undefined)
    await store.setDoc(store.doc(database, 'users/u-1042'), people[3], { merge: true }).catch(() => undefined)
  },
  'firebase-auth': async () => {
    const { initializeApp } = await import('firebase/app')
    const auth = await import('firebase/auth')
    const users = auth.getAuth(
      initializeApp({
        projectId: 'shop-1042',
        apiKey: 'AIzaSyKx0Yw2mQ3cX1b7',
        authDomain: 'login.example.org',
      }),
    )
    await each([0, 1], (index) =>
      auth.signInWithEmailAndPassword(users, people[index].email, `pass'word" #${index} & more;`),
    )
    await auth.sendPasswordResetEmail(users, people[2].email).catch(() => undefined)
  },
  'documented-firebase-channel': async () => {
    const rid = 51234
    const channel = 'https://data.example.org/google.firestore.v1.Firestore/Listen/channel'
    const common = `VER=8&database=${encodeURIComponent('projects/shop-1042/databases/(default)')}&gsessionid=x0Yw2mQ3cX1b7&SID=q3cX1b7N9s4Q`
    await send(
      `${channel}?${common}&RID=${rid}&CVER=22&X-HTTP-Session-Id=gsessionid&%24httpHeaders=${encodeURIComponent('X-Goog-Api-Client:gl-js/ fire/9.23.0\r\nContent-Type:text/plain\r\nX-Firebase-GMPID:1:1042:web:8f2a\r\n')}&zx=7k2m9xq1&t=1`,
      {
        ...form({
          count: '1',
          ofs: '0',
          req0___data__: JSON.stringify({
            database: 'projects/shop-1042/databases/(default)',
            addTarget: {
              query: {
                structuredQuery: {
                  from: [{ collectionId: 'orders' }],
                  where: {
                    fieldFilter: {
                      field: { fieldPath: 'state' },
                      op: 'EQUAL',
                      value: { stringValue: 'open' },
                    },
                  },
                  orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
                },
                parent: 'projects/shop-1042/databases/(default)/documents',
              },
              targetId: 2,
            },
          }),
        }),
      },
    )
    await send(`${channel}?${common}&RID=rpc&AID=12&CI=0&TYPE=xmlhttp&zx=a1b2c3d4&t=1`)
    await send(`${channel}?${common}&TYPE=terminate&zx=a1b2c3d4`, { method: 'POST' })
  },
  'odata-query': async () => {
    const { default: buildQuery } = await import('odata-query')
    const queries = [
      {
        filter: {
          and: [
            { name: { contains: "O'Neill" } },
            { price: { ge: 10, lt: 250 } },
            { state: { in: ['open', 'paid'] } },
          ],
        },
        orderBy: ['placedAt desc', 'name'],
        top: 20,
        skip: 40,
        count: true,
      },
      {
        select: ['id', 'name'],
        expand: {
          customer: { select: ['name', 'email'] },
          lines: { filter: { quantity: { gt: 1 } }, top: 5 },
        },
      },
      { filter: { lines: { any: { product: { eq: 'chair' } } } }, search: '"garden chair" AND NOT oak' },
      {
        transform: [
          { filter: { price: { ge: 10 } } },
          {
            groupBy: {
              properties: ['color'],
              transform: { aggregate: [{ price: { with: 'max', as: 'highest' } }] },
            },
          },
        ],
      },
      {
        filter:
          "substringof('chair', tolower(name)) eq true or startswith(name, 'Åse') and year(placedAt) eq 2024",
      },
    ]
    await each(queries, (query) =>
      send(`https://data.example.org/odata/Orders${buildQuery(query)}`, {
        headers: { accept: 'application/json;odata.metadata=minimal', 'odata-version': '4.0' },
      }),
    )
    await send(
      `https://data.example.org/_api/web/lists/getbytitle('Site%20Pages')/items(7)?$select=Title,Author/Title&$expand=Author`,
      { headers: { accept: 'application/json;odata=verbose' } },
    )
    const batch = `--batch_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET Orders?$filter=state%20eq%20'open' HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n--batch_1--\r\n`
    await send('https://data.example.org/odata/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=batch_1' },
      body: batch,
    })
  },
  'documented-contentful': () =>
    each(searches.slice(0, 3), (query) =>
      send(
        `https://cdn.example.org/spaces/x0yw2mq3cx1b/environments/master/entries?content_type=post&fields.title[match]=${encodeURIComponent(query)}&fields.price[gte]=10&fields.tags[in]=oak,garden&order=-sys.createdAt,fields.title&include=3&locale=*`,
      ),
    ),
  'documented-sanity': () =>
    each(
      [
        '*[_type == "post" && slug.current == $slug][0]{title, body, "author": author->name, "related": *[_type == "post" && references(^._id)]{_id}}',
        '*[_type in ["page", "post"] && defined(slug.current) && !(_id in path("drafts.**"))] | order(publishedAt desc) [0...20]',
      ],
      (query) =>
        send(
          `https://cdn.example.org/v2024-01-01/data/query/production?query=${encodeURIComponent(query)}&%24slug=%22chairs%22&returnQuery=false&perspective=published`,
        ),
    ),
  'documented-strapi': () =>
    each(searches.slice(0, 3), (query) =>
      send(
        `https://cdn.example.org/api/articles?populate[author][fields][0]=name&populate[cover]=*&filters[$or][0][title][$containsi]=${encodeURIComponent(query)}&filters[$or][1][author][name][$eq]=Ann&filters[price][$gte]=10&sort[0]=title:asc&pagination[pageSize]=25&locale=de`,
      ),
    ),
  'documented-directus': () =>
    each(
      [
        {
          _and: [
            { status: { _eq: 'published' } },
            { author: { name: { _icontains: "O'Connor" } } },
            { date: { _lte: '$NOW(-1 year)' } },
          ],
        },
      ],
      (filter) =>
        send(
          `https://cdn.example.org/items/articles?filter=${encodeURIComponent(JSON.stringify(filter))}&fields[]=*.*&deep[translations][_filter][languages_code][_eq]=de-DE&sort[]=-date&meta=*`,
        ),
    ),
}

export const use = useOf(libraries)
