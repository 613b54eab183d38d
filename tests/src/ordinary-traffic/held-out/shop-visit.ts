import { inBrowser, type Visit } from '../visits.ts'
import { administrator } from './debian-applications.ts'
import { customers, posts, products, searches } from './everyday-texts.ts'

/** Somebody fills the shop in its administration, others search, buy and give their addresses. */
export const useShop: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/admin/`)
    await page.fill('#login_username', administrator.name)
    await page.fill('#login_password', administrator.password)
    await page.locator('#login_password').press('Enter')
    await page.waitForURL(/\/admin\/(?!login)/)
    for (const path of [
      'catalog/products',
      'orders',
      'customer/customers',
      'settings/channels',
      'catalog/products?search=o%27connor',
    ]) {
      await page.goto(`${origin}/admin/${path}`)
      await page.waitForLoadState('networkidle')
    }
    await page.evaluate(fillShop, { products, posts })
  })
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/shop-api?query=%7B__typename%7D`)
    await page.evaluate(buy, { customers, searches, notes: posts.slice(0, 6).map(({ text }) => text) })
  })
}

/** In the page of the administration: creates products with pictures, a collection, a promotion, a customer and notes. */
async function fillShop(texts: {
  readonly products: typeof products
  readonly posts: typeof posts
}): Promise<void> {
  const ask = async (query: string, variables: unknown) => {
    const reply = await fetch('/admin-api?languageCode=en', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/plain, */*' },
      body: JSON.stringify({ operationName: /\w+ (\w+)/.exec(query)?.[1], variables, query }),
    })
    return ((await reply.json()) as { data: { createProduct: { id: string } } }).data
  }
  for (const { name, slug, description, price } of texts.products) {
    const picture = new FormData()
    picture.append(
      'operations',
      JSON.stringify({
        operationName: 'CreateAssets',
        variables: { input: [{ file: null }] },
        query:
          'mutation CreateAssets($input: [CreateAssetInput!]!) {\n  createAssets(input: $input) {\n    ... on Asset {\n      id\n      name\n      __typename\n    }\n    __typename\n  }\n}',
      }),
    )
    picture.append('map', '{"1":["variables.input.0.file"]}')
    picture.append(
      '1',
      new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1])], {
        type: 'image/jpeg',
      }),
      `${slug} (1).jpg`,
    )
    await fetch('/admin-api?languageCode=en', {
      method: 'POST',
      headers: { 'apollo-require-preflight': 'true' },
      body: picture,
    })
    const { createProduct } = await ask(
      'mutation CreateProduct($input: CreateProductInput!) {\n  createProduct(input: $input) {\n    ...ProductDetail\n    __typename\n  }\n}\n\nfragment ProductDetail on Product {\n  id\n  name\n  slug\n  description\n  __typename\n}',
      {
        input: {
          enabled: true,
          facetValueIds: [],
          translations: [{ languageCode: 'en', name, slug, description, customFields: {} }],
        },
      },
    )
    await ask(
      'mutation CreateProductVariants($input: [CreateProductVariantInput!]!) {\n  createProductVariants(input: $input) {\n    id\n    name\n    sku\n    price\n    __typename\n  }\n}',
      {
        input: [
          {
            productId: createProduct.id,
            sku: `${slug.toUpperCase()}/1`,
            price,
            stockOnHand: 100,
            translations: [{ languageCode: 'en', name }],
          },
        ],
      },
    )
  }
  await ask(
    'mutation CreatePromotion($input: CreatePromotionInput!) {\n  createPromotion(input: $input) {\n    ... on Promotion {\n      id\n      __typename\n    }\n    __typename\n  }\n}',
    {
      input: {
        enabled: true,
        couponCode: "MUM&DAD'S-10%",
        conditions: [
          {
            code: 'minimum_order_amount',
            arguments: [
              { name: 'amount', value: '5000' },
              { name: 'taxInclusive', value: 'false' },
            ],
          },
        ],
        actions: [{ code: 'order_percentage_discount', arguments: [{ name: 'discount', value: '10' }] }],
        translations: [
          {
            languageCode: 'en',
            name: "Mother's & Father's Day: 10% off",
            description: '<p>Valid until 30/06; not with other offers.</p>',
          },
        ],
      },
    },
  )
  await ask(
    'query GetProductList($options: ProductListOptions) {\n  products(options: $options) {\n    items {\n      id\n      name\n    }\n    totalItems\n    __typename\n  }\n}',
    {
      options: {
        take: 10,
        skip: 0,
        filter: { name: { contains: "men's" } },
        sort: { createdAt: 'DESC' },
        filterOperator: 'AND',
      },
    },
  )
  for (const { title, text, author } of texts.posts.slice(0, 5)) {
    await ask(
      'mutation CreateCustomer($input: CreateCustomerInput!) {\n  createCustomer(input: $input) {\n    ... on Customer {\n      id\n      __typename\n    }\n    __typename\n  }\n}',
      {
        input: {
          title: 'Dr.',
          firstName: author,
          lastName: author.split(' ')[1] ?? '-',
          emailAddress: `${author.length}.${title.length}@example.org`,
          phoneNumber: '+1 (555) 010-0199',
        },
      },
    )
    await ask(
      'mutation AddNoteToCustomer($input: AddNoteToCustomerInput!) {\n  addNoteToCustomer(input: $input) {\n    id\n    __typename\n  }\n}',
      { input: { id: '1', note: text, isPublic: false } },
    )
  }
}

/** In a page of the shop: searches, fills a basket, and orders. */
async function buy(texts: {
  readonly customers: typeof customers
  readonly searches: typeof searches
  readonly notes: readonly string[]
}): Promise<void> {
  const ask = async (query: string, variables: unknown) => {
    const reply = await fetch('/shop-api', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'vendure-token': 'main' },
      body: JSON.stringify({ query, variables }),
    })
    return reply.json()
  }
  for (const term of texts.searches)
    await ask(
      'query Search($input: SearchInput!) { search(input: $input) { totalItems items { productName slug description priceWithTax { ... on SinglePrice { value } } } facetValues { count facetValue { id name } } } }',
      { input: { term, take: 24, skip: 0, groupByProduct: true, sort: { price: 'ASC' } } },
    )
  for (const customer of texts.customers) {
    const {
      firstName,
      lastName,
      emailAddress,
      company,
      streetLine1,
      streetLine2,
      city,
      postalCode,
      phoneNumber,
      note,
    } = customer
    await ask(
      'mutation AddItem($id: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $id, quantity: $quantity) { __typename ... on Order { id code totalWithTax lines { id quantity } } ... on ErrorResult { errorCode message } } }',
      { id: '1', quantity: 2 },
    )
    await ask(
      'mutation SetCustomer($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename ... on ErrorResult { errorCode message } } }',
      { input: { firstName, lastName, emailAddress } },
    )
    await ask(
      'mutation SetAddress($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { __typename ... on ErrorResult { message } } }',
      {
        input: {
          fullName: `${firstName} ${lastName}`,
          company,
          streetLine1,
          streetLine2,
          city,
          postalCode,
          phoneNumber,
          province: '',
          countryCode: 'GB',
          defaultShippingAddress: true,
        },
      },
    )
    await ask(
      'mutation Coupon($code: String!) { applyCouponCode(couponCode: $code) { __typename ... on ErrorResult { message } } }',
      { code: "MUM&DAD'S-10%" },
    )
    await ask('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }', {})
    await ask(
      'mutation Pay($input: PaymentInput!) { addPaymentToOrder(input: $input) { __typename ... on ErrorResult { message } } }',
      { input: { method: 'dummy', metadata: { note, shouldDecline: false } } },
    )
    await ask(
      'mutation Register($input: RegisterCustomerInput!) { registerCustomerAccount(input: $input) { __typename } }',
      { input: { emailAddress, firstName, lastName, password: "it's-a-secret; <3 & more" } },
    )
    await ask(
      'query { activeOrder { id code state lines { productVariant { name sku } linePriceWithTax } } }',
      {},
    )
  }
}
