import { article, comments, form, json, pause, people, product, searches, send } from './content.js'
import { useOf } from './use.js'

const shop = 'https://www.example.org'

/** Tables, calendars, editors and frameworks of pages, and how they ask their own server. */
const libraries = {
  datatables: async () => {
    const { default: DataTable } = await import('datatables.net')
    const table = new DataTable('#table', {
      serverSide: true,
      ajax: `${shop}/admin/orders/server-side?view=all`,
      columns: ['name', 'customer.name', 'placed_at', 'state'].map((data) => ({ data, defaultContent: '' })),
    })
    await pause(600)
    for (const search of searches.slice(0, 4)) {
      table
        .search(search)
        .order([[1, 'desc']])
        .draw()
      await pause(300)
    }
    table.column(3).search('^(open|paid)$', true, false).draw()
    await pause(400)
    table.settings()[0].ajax = {
      url: `${shop}/admin/orders/datatable`,
      type: 'POST',
      data: { csrf: 'a+b/c==', from: '01/06/2024' },
    }
    table.search(searches[1]).draw()
    await pause(500)
  },
  'documented-select2': async () => {
    for (const q of searches.flatMap((text) => [text.slice(0, 3), text]).slice(0, 10))
      await send(
        `${shop}/api/customers/select2?${new URLSearchParams({ term: q, q, _type: 'query', page: '1' })}`,
      )
  },
  'documented-kendo': async () => {
    await send(
      `${shop}/admin/Orders/Read`,
      form({
        sort: 'PlacedAt-desc~Name-asc',
        page: '1',
        pageSize: '20',
        group: '',
        filter:
          "Name~contains~'O''Connor'~and~(State~eq~'open'~or~Total~gte~10)~and~PlacedAt~lt~datetime'2024-06-10T00-00-00'",
      }),
    )
    await send(
      `${shop}/admin/Orders/Read?take=20&skip=0&page=1&pageSize=20&sort%5B0%5D%5Bfield%5D=name&sort%5B0%5D%5Bdir%5D=asc&filter%5Blogic%5D=and&filter%5Bfilters%5D%5B0%5D%5Bfield%5D=name&filter%5Bfilters%5D%5B0%5D%5Boperator%5D=contains&filter%5Bfilters%5D%5B0%5D%5Bvalue%5D=${encodeURIComponent("women's")}`,
    )
  },
  'documented-devextreme': async () => {
    const filter = JSON.stringify([
      ['name', 'contains', "O'Connor"],
      'and',
      [['total', '>=', 10], 'or', ['state', '=', 'open']],
    ])
    await send(
      `${shop}/api/orders?${new URLSearchParams({ skip: '0', take: '20', requireTotalCount: 'true', sort: '[{"selector":"placedAt","desc":true}]', filter, group: '[{"selector":"state","isExpanded":false}]', totalSummary: '[{"selector":"total","summaryType":"sum"}]' })}`,
    )
    await send(
      `${shop}/api/orders`,
      form({ values: JSON.stringify({ name: people[0].name, note: comments[1] }), key: '104' }),
    )
  },
  'documented-ag-grid': async () => {
    await send(
      `${shop}/api/grid`,
      json({
        startRow: 0,
        endRow: 100,
        rowGroupCols: [{ id: 'state', displayName: 'State', field: 'state' }],
        valueCols: [{ id: 'total', aggFunc: 'sum', field: 'total' }],
        pivotCols: [],
        pivotMode: false,
        groupKeys: ['open'],
        filterModel: {
          name: {
            filterType: 'text',
            operator: 'OR',
            condition1: { filterType: 'text', type: 'contains', filter: "O'Connor" },
            condition2: { type: 'startsWith', filter: 'select' },
          },
          total: { filterType: 'number', type: 'inRange', filter: 10, filterTo: 250 },
        },
        sortModel: [{ sort: 'desc', colId: 'placed_at' }],
      }),
    )
  },
  fullcalendar: async () => {
    const { Calendar } = await import('@fullcalendar/core')
    const { default: dayGrid } = await import('@fullcalendar/daygrid')
    const calendar = new Calendar(document.getElementById('box'), {
      plugins: [dayGrid],
      timeZone: 'Europe/Berlin',
      events: { url: `${shop}/events`, extraParams: { calendars: '1,2', text: "children's hour" } },
    })
    calendar.render()
    calendar.next()
    await pause(600)
  },
  htmx: async () => {
    const { default: htmx } = await import('htmx.org')
    const box = document.getElementById('box')
    box.innerHTML = `<form hx-post="${shop}/contacts/104/edit" hx-target="#text" hx-trigger="go"><input name="name" value="${people[0].name}"><input name="tags[]" value="a"><input name="tags[]" value="b"><input name="" value="unnamed"><textarea name="note"></textarea></form><input name="q" hx-get="${shop}/search/live" hx-trigger="go" hx-target="#text" hx-vals='{"from":"{{ header }}"}'>`
    box.querySelector('textarea').value = comments[0]
    htmx.process(box)
    for (const text of searches.slice(0, 5)) {
      box.querySelector('[name=q]').value = text
      htmx.trigger(box.querySelector('[name=q]'), 'go')
      await pause(250)
    }
    htmx.trigger(box.querySelector('form'), 'go')
    await pause(500)
  },
  turbo: async () => {
    await import('@hotwired/turbo')
    const box = document.getElementById('box')
    box.innerHTML = `<turbo-frame id="comments" src="${shop}/posts/7/comments?page=2"></turbo-frame><turbo-frame id="f"><form action="${shop}/posts/7/comments" method="post"><input name="authenticity_token" value="x0Yw2mQ3cX1b7+N9s/4Q=="><input name="_method" value="patch"><textarea name="comment[body]"></textarea><input name="comment[tag_ids][]" value=""><input name="comment[lines_attributes][0][_destroy]" value="false"><input name="utf8" value="✓"></form></turbo-frame>`
    box.querySelector('textarea').value = comments[2]
    await pause(500)
    box.querySelector('form').requestSubmit()
    await pause(800)
  },
  inertia: async () => {
    const { router } = await import('@inertiajs/core')
    router.init({
      initialPage: { component: 'Orders', props: {}, url: location.pathname, version: '8f2a9c41' },
      resolveComponent: () => ({}),
      swapComponent: async () => undefined,
    })
    router.get(
      `${shop}/orders`,
      { search: searches[1], filter: { state: ['open', 'paid'], price: { min: 10 } } },
      { only: ['orders'] },
    )
    await pause(400)
    router.post(`${shop}/orders`, { customer: people[0], lines: [product], note: comments[0] })
    await pause(400)
    router.post(`${shop}/profile`, {
      name: people[3].name,
      photo: new File(['GIF89a'], "me & my cat's.gif", { type: 'image/gif' }),
    })
    await pause(600)
  },
  'documented-livewire': async () => {
    const snapshot = JSON.stringify({
      data: {
        search: searches[0],
        filters: [{ state: 'open', tags: [['a', 'b'], { s: 'arr' }] }, { s: 'arr' }],
        comment: null,
      },
      memo: {
        id: 'x0Yw2mQ3cX1b7',
        name: 'orders.table',
        path: 'admin/orders',
        method: 'GET',
        children: [],
        scripts: [],
        assets: [],
        errors: [],
        locale: 'en',
      },
      checksum: '8f2a9c41d0b7e35f66a1c2d3e4f50617',
    })
    await send(
      `${shop}/livewire/update`,
      json(
        {
          _token: 'x0Yw2mQ3cX1b7N9s4Q',
          components: [
            {
              snapshot,
              updates: { search: searches[1], comment: comments[0] },
              calls: [
                { path: '', method: 'save', params: [104, { delete: false }] },
                { path: '', method: '$refresh', params: [] },
                { path: '', method: '__dispatch', params: ['order-saved', {}] },
              ],
            },
          ],
        },
        'application/json',
        { 'x-livewire': '' },
      ),
    )
    await send(
      `${shop}/livewire/message/orders.table`,
      json({
        fingerprint: {
          id: 'x0Yw2',
          name: 'orders.table',
          locale: 'en',
          path: 'admin/orders',
          method: 'GET',
          v: 'acj',
        },
        serverMemo: {
          children: [],
          errors: [],
          htmlHash: '8f2a9c41',
          data: { search: '', page: 1 },
          checksum: '8f2a',
        },
        updates: [
          { type: 'syncInput', payload: { id: 'a1', name: 'search', value: searches[5] } },
          { type: 'callMethod', payload: { id: 'b2', method: '$set', params: ['page', 2] } },
        ],
      }),
    )
  },
  'documented-next': async () => {
    const tree = encodeURIComponent(
      JSON.stringify([
        '',
        {
          children: [
            ['lang', 'de', 'd'],
            {
              children: [
                '(shop)',
                {
                  children: [
                    ['slug', 'garten/stühle', 'c'],
                    { children: ['__PAGE__?{"q":"Öl & Pinsel"}', {}, '/de/garten', 'refresh'] },
                  ],
                },
              ],
            },
          ],
        },
        null,
        null,
        true,
      ]),
    )
    await send(`${shop}/de/garten/st%C3%BChle?q=%C3%96l&_rsc=1x0yw`, {
      headers: {
        rsc: '1',
        'next-router-state-tree': tree,
        'next-url': '/de/garten',
        'next-router-prefetch': '1',
      },
    })
    const action = {
      method: 'POST',
      headers: {
        'next-action': '40a8f2a9c41d0b7e35f66a1c2d3e4f506170b7e35',
        'next-router-state-tree': tree,
        accept: 'text/x-component',
      },
    }
    await send(`${shop}/de/kasse`, {
      ...action,
      headers: { ...action.headers, 'content-type': 'text/plain;charset=UTF-8' },
      body: JSON.stringify([
        { sku: product.sku, quantity: 2, note: '$undefined', at: '$D2024-06-10T06:13:20.123Z' },
        '$undefined',
        comments[0],
      ]),
    })
    const data = new FormData()
    for (const [name, value] of [
      ['1_$ACTION_ID_40a8f2a9c41d0b7e35', ''],
      ['1_name', people[0].name],
      ['1_note', comments[3]],
      ['0', '[{"error":null,"fields":{"name":""}},"$K1"]'],
    ])
      data.append(name, value)
    await send(`${shop}/de/kasse`, { ...action, body: data })
    await send(
      `${shop}/_next/data/x0Yw2mQ3cX1b7-N9s4Q/de/suche.json?q=${encodeURIComponent(searches[2])}&slug=garten&slug=st%C3%BChle`,
      { headers: { 'x-nextjs-data': '1' } },
    )
    await send(
      `${shop}/_next/image?url=${encodeURIComponent('https://cdn.example.org/products/åse (1).jpg?v=1718000000&fit=crop')}&w=1080&q=75`,
    )
    await send(`${shop}/_next/image?url=%2F_next%2Fstatic%2Fmedia%2Fhero.5f0c2b7a.png&w=640&q=75`)
  },
  'documented-remix': async () => {
    await send(`${shop}/en/garden?_data=${encodeURIComponent('routes/($lang).garden.$slug')}`)
    await send(`${shop}/en/garden.data?_routes=${encodeURIComponent('root,routes/_shop.garden.$slug')}`)
    await send(
      `${shop}/en/basket?index&_data=routes%2F%28%24lang%29.basket._index`,
      form({ intent: 'add', 'lines[0].sku': product.sku, note: comments[2] }),
    )
    await send(`${shop}/_payload.json?hash=8f2a9c41`)
    await send(`${shop}/__data.json?x-sveltekit-invalidated=001&q=${encodeURIComponent(searches[3])}`)
    await send(`${shop}/basket?/add`, {
      method: 'POST',
      headers: { 'x-sveltekit-action': 'true', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'sku=CH-104%2F2&note=it%27s+a+gift',
    })
  },
  'documented-editors': async () => {
    for (const html of [
      article,
      `${article}<pre><code class="language-bash">npm ci &amp;&amp; npm start</code></pre>`,
      '<p onclick="">Hi</p><p><span style="color:#333;font-family:Arial,sans-serif" class="Mso">Text</span><!--EndFragment--></p>',
    ]) {
      await send(`${shop}/posts/7/autosave`, json({ content: html, title: product.name, version: 12 }))
      await send(`${shop}/posts/7/autosave`, form({ content: html, _autosave: '1' }))
    }
    await send(
      `${shop}/posts/7`,
      json({
        ops: [
          { insert: 'How to choose\n', attributes: { header: 2 } },
          { insert: comments[0] },
          {
            insert: {
              image:
                'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
        ],
      }),
    )
    await send(
      `${shop}/posts/7`,
      json({
        type: 'doc',
        content: [
          {
            type: 'heading',
            attrs: { level: 2 },
            content: [
              {
                type: 'text',
                text: comments[1],
                marks: [
                  { type: 'link', attrs: { href: 'https://www.example.org/?a=1&b=2', target: '_blank' } },
                ],
              },
            ],
          },
        ],
      }),
    )
    await send(
      `${shop}/posts/7`,
      json({
        time: 1718000000123,
        blocks: [
          {
            id: 'a',
            type: 'paragraph',
            data: { text: 'A <b>bold</b> word &nbsp;<a href="https://example.org">here</a>' },
          },
          {
            type: 'raw',
            data: {
              html: '<iframe src="https://video.example.org/embed/7?rel=0" width="560" height="315" allowfullscreen></iframe>',
            },
          },
        ],
        version: '2.29.1',
      }),
    )
    await send(`${shop}/posts/7`, { method: 'POST', headers: { 'content-type': 'text/html' }, body: article })
    await send(`${shop}/posts/7`, {
      method: 'POST',
      headers: { 'content-type': 'text/markdown' },
      body: `# ${product.name}\n\n> ${comments[0]}\n\n\`npm start\` | *a* | [b](https://www.example.org)\n`,
    })
  },
  'documented-lexical': async () => {
    await send(`${shop}/api/posts/7?depth=1&fallback-locale=null`, {
      ...json({
        root: {
          type: 'root',
          format: '',
          indent: 0,
          version: 1,
          children: [
            {
              type: 'paragraph',
              children: [
                {
                  mode: 'normal',
                  text: comments[6],
                  type: 'text',
                  style: '',
                  detail: 0,
                  format: 1,
                  version: 1,
                },
              ],
              direction: 'ltr',
            },
          ],
        },
      }),
      method: 'PATCH',
    })
    await send(
      `${shop}/wp-json/wp/v2/posts/7/autosaves?_locale=user`,
      json(
        {
          id: 7,
          title: product.name,
          content: `<!-- wp:paragraph {"align":"center"} -->\n<p class="has-text-align-center">${comments[0]}</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:image {"id":12,"sizeSlug":"large"} -->\n<figure class="wp-block-image"><img src="https://www.example.org/a.jpg" alt=""/></figure>\n<!-- /wp:image -->`,
        },
        'application/json',
        { 'x-wp-nonce': '8f2a9c41d0' },
      ),
    )
  },
}

export const use = useOf(libraries)
