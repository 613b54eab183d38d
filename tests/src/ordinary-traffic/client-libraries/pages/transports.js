import {
  article,
  collector,
  comments,
  form,
  json,
  pause,
  people,
  product,
  searches,
  send,
} from './content.js'
import { useOf } from './use.js'

const api = 'https://api.example.org'
const settled = (promise) => Promise.race([Promise.resolve(promise).catch(() => undefined), pause(2000)])
const file = (name, type, bytes = 3000) =>
  new File([Uint8Array.from({ length: bytes }, (_, index) => (index * 7919) % 256)], name, { type })
const photo = () => file("Ann's photo (1).jpg", 'image/jpeg')
const hash = async (text) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const orders = `query Orders($first: Int = 20, $after: String, $filter: OrderFilter!) {
  orders(first: $first, after: $after, filter: $filter) @connection(key: "orders") {
    edges { cursor node { id ...OrderFields customer { name email } lines(limit: 5) { sku quantity } } }
    pageInfo { hasNextPage endCursor }
  }
}
fragment OrderFields on Order { id placedAt total { amount currency } state __typename }`
const addComment =
  'mutation AddComment($input: CommentInput!) { addComment(input: $input) { comment { id text author { name } } errors { field message } } }'

/** How scripts of pages speak with their servers. */
const libraries = {
  'apollo-client': async () => {
    const { ApolloClient, InMemoryCache, HttpLink, gql } = await import('@apollo/client')
    const { createPersistedQueryLink } = await import('@apollo/client/link/persisted-queries')
    const cache = () => new InMemoryCache()
    const plain = new ApolloClient({
      cache: cache(),
      link: new HttpLink({ uri: `${api}/graphql`, credentials: 'include' }),
    })
    const persisted = new ApolloClient({
      cache: cache(),
      link: createPersistedQueryLink({ sha256: hash, useGETForHashedQueries: true }).concat(
        new HttpLink({ uri: `${api}/graphql` }),
      ),
    })
    for (const client of [plain, persisted]) {
      await settled(
        client.query({ query: gql(orders), variables: { filter: { search: searches[0], state: ['OPEN'] } } }),
      )
      await settled(
        client.mutate({
          mutation: gql(addComment),
          variables: { input: { text: comments[0], author: people[0].name } },
        }),
      )
    }
  },
  urql: async () => {
    const { Client, fetchExchange } = await import('urql')
    for (const preferGetMethod of [true, false]) {
      const client = new Client({ url: `${api}/graphql`, exchanges: [fetchExchange], preferGetMethod })
      for (const search of searches.slice(0, 3))
        await settled(client.query(orders, { filter: { search } }).toPromise())
      await settled(client.mutation(addComment, { input: { text: comments[4] } }).toPromise())
    }
  },
  trpc: async () => {
    const { createTRPCClient, httpBatchLink } = await import('@trpc/client')
    const client = createTRPCClient({ links: [httpBatchLink({ url: `${api}/trpc` })] })
    await Promise.all([
      settled(client.product.search.query({ q: searches[2], cursor: null })),
      settled(client.basket.get.query()),
      settled(client.user.me.query({ id: 7 })),
    ])
    await settled(client.comment.add.mutate({ text: comments[3], html: article }))
  },
  'connect-web': async () => {
    const { createConnectTransport, createGrpcWebTransport } = await import('@connectrpc/connect-web')
    const { StructSchema } = await import('@bufbuild/protobuf/wkt')
    const method = {
      methodKind: 'unary',
      input: StructSchema,
      output: StructSchema,
      parent: { typeName: 'shop.v1.OrderService' },
      name: 'ListOrders',
      idempotency: 1,
      kind: 'rpc',
      localName: 'listOrders',
    }
    for (const transport of [
      createConnectTransport({ baseUrl: api, useHttpGet: true }),
      createConnectTransport({ baseUrl: api }),
      createConnectTransport({ baseUrl: api, useBinaryFormat: true }),
      createGrpcWebTransport({ baseUrl: api }),
    ])
      for (const one of [people[0], { text: comments[1], html: article }])
        await settled(transport.unary(method, undefined, 3000, undefined, { ...one }))
  },
  signalr: async () => {
    const { HubConnectionBuilder, HttpTransportType, LogLevel } = await import('@microsoft/signalr')
    const hub = new HubConnectionBuilder()
      .withUrl(`${api}/hubs/chat?room=${encodeURIComponent('Öl & Pinsel')}`, {
        transport: HttpTransportType.LongPolling,
        accessTokenFactory: () => 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmVk',
      })
      .configureLogging(LogLevel.None)
      .build()
    void hub.start().catch(() => undefined)
    await pause(1500)
    const sends = comments
      .slice(0, 3)
      .map(
        (text, index) =>
          `${JSON.stringify({ type: 1, invocationId: String(index), target: 'SendMessage', arguments: [people[0].name, text] })}\x1e`,
      )
    for (const body of ['{"protocol":"json","version":1}\x1e', ...sends, '{"type":6}\x1e'])
      await send(`${api}/hubs/chat?id=x0Yw2mQ3cX1b7`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-requested-with': 'XMLHttpRequest' },
        body,
      })
    await send(
      `${api}/signalr/connect?transport=serverSentEvents&clientProtocol=1.5&connectionToken=${encodeURIComponent('AQAAANCMnd8BFdERjHoAwE/Cl+sBAAAA==')}&connectionData=${encodeURIComponent('[{"name":"chathub"}]')}&tid=3`,
    )
    await send(
      `${api}/signalr/send?transport=longPolling&connectionData=%5B%7B%22name%22%3A%22chathub%22%7D%5D`,
      form({ data: JSON.stringify({ H: 'chathub', M: 'Send', A: [comments[5]], I: 0 }) }),
    )
  },
  'engine-io': async () => {
    const { io } = await import('socket.io-client')
    const socket = io(api, {
      transports: ['polling'],
      path: '/socket.io/',
      query: { room: 'Öl & Pinsel' },
      reconnection: false,
    })
    await pause(800)
    socket.close()
    for (const body of [
      ...comments
        .slice(0, 4)
        .map((text, index) => `42${index}["message",${JSON.stringify({ text, from: people[0] })}]`),
      '2',
      '40{"token":"eyJhbGciOiJIUzI1NiJ9"}',
      '3\x1e42["typing",{"on":true}]',
    ])
      await send(`${api}/socket.io/?EIO=4&transport=polling&t=P5x0Yw2&sid=q3cX1b7N9s4QaBcDeFgH`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain;charset=UTF-8' },
        body,
      })
  },
  sockjs: async () => {
    const { default: SockJS } = await import('sockjs-client')
    const socket = new SockJS(`${api}/echo`, null, { transports: ['xhr-polling'] })
    await pause(800)
    socket.close()
    for (const body of [
      JSON.stringify([
        `SEND\ndestination:/app/chat\ncontent-type:application/json\n\n${JSON.stringify({ text: comments[0] })}\0`,
      ]),
      JSON.stringify(['CONNECT\naccept-version:1.1,1.0\nheart-beat:10000,10000\n\n\0']),
    ])
      await send(`${api}/echo/123/q3cx1b7n/xhr_send`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body,
      })
  },
  'documented-cometd': async () => {
    await send(
      `${api}/cometd/handshake`,
      json(
        [
          {
            id: '1',
            version: '1.0',
            minimumVersion: '1.0',
            channel: '/meta/handshake',
            supportedConnectionTypes: ['long-polling', 'callback-polling'],
            advice: { timeout: 60000, interval: 0 },
          },
        ],
        'application/json;charset=UTF-8',
      ),
    )
    await send(
      `${api}/cometd/`,
      json(
        [{ channel: '/chat/öl', data: { text: comments[1] }, id: '2', clientId: 'q3cx1b7' }],
        'application/json;charset=UTF-8',
      ),
    )
  },
  uppy: async () => {
    const { default: Uppy } = await import('@uppy/core')
    const { default: Xhr } = await import('@uppy/xhr-upload')
    const { default: Tus } = await import('@uppy/tus')
    for (const [plugin, options] of [
      [Xhr, { endpoint: `${api}/upload`, fieldName: 'files[]' }],
      [Tus, { endpoint: `${api}/files/`, chunkSize: 1500, retryDelays: null }],
    ]) {
      const uppy = new Uppy().use(plugin, options)
      for (const one of [photo(), file('Angebot – Müller & Söhne.pdf', 'application/pdf')])
        uppy.addFile({ name: one.name, type: one.type, data: one, meta: { caption: comments[2] } })
      await settled(uppy.upload())
    }
  },
  dropzone: async () => {
    const { default: Dropzone } = await import('dropzone')
    const zone = new Dropzone('#box', {
      url: `${api}/upload?album=${encodeURIComponent("l'été")}`,
      chunking: true,
      forceChunking: true,
      chunkSize: 1200,
      params: (_files, _xhr, chunk) => ({ dzuuid: 'x', dzchunkindex: chunk?.index ?? 0, csrf: 'a+b/c==' }),
    })
    zone.addFile(photo())
    await pause(1500)
  },
  filepond: async () => {
    const FilePond = await import('filepond')
    const pond = FilePond.create({ server: { url: api, process: '/process', revert: '/revert' } })
    await settled(pond.addFile(photo(), { metadata: { title: comments[5] } }))
    await pause(1200)
  },
  resumablejs: async () => {
    const { default: Resumable } = await import('resumablejs')
    const upload = new Resumable({
      target: `${api}/chunks`,
      chunkSize: 1200,
      simultaneousUploads: 1,
      query: { album: 'Öl & Pinsel' },
    })
    upload.addFile(photo())
    await pause(500)
    upload.upload()
    await pause(2000)
  },
  'aws-s3': async () => {
    const { S3Client, PutObjectCommand, ListObjectsV2Command, DeleteObjectsCommand } = await import(
      '@aws-sdk/client-s3'
    )
    const client = new S3Client({
      region: 'eu-central-1',
      endpoint: 'https://s3.example.org',
      forcePathStyle: true,
      credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'made/up+secret' },
      maxAttempts: 1,
    })
    await settled(
      client.send(new ListObjectsV2Command({ Bucket: 'photos', Prefix: "l'été/2024 (1)/", Delimiter: '/' })),
    )
    await settled(
      client.send(
        new PutObjectCommand({
          Bucket: 'photos',
          Key: 'été & hiver/a+b.html',
          Body: article,
          ContentType: 'text/html',
          Metadata: { title: 'x' },
        }),
      ),
    )
    await settled(
      client.send(
        new DeleteObjectsCommand({
          Bucket: 'photos',
          Delete: { Objects: [{ Key: "o'neill <1>.jpg" }, { Key: 'b' }] },
        }),
      ),
    )
  },
  'azure-blob': async () => {
    const { BlobServiceClient } = await import('@azure/storage-blob')
    const client = new BlobServiceClient(
      'https://blob.example.org/?sv=2024-05-04&ss=b&srt=sco&sp=rwdlac&se=2025-01-01T00:00:00Z&sig=x0Yw2mQ3cX1b7%2BN9s%2F4Q%3D',
    )
      .getContainerClient('photos')
      .getBlockBlobClient("l'été (1).jpg")
    await settled(
      client.uploadData(photo(), {
        blobHTTPHeaders: { blobContentType: 'image/jpeg' },
        metadata: { title: 'chair' },
      }),
    )
    await settled(client.stageBlock(btoa('block-000001'), 'part', 4))
    await settled(client.commitBlockList([btoa('block-000001')]))
  },
  'oidc-client-ts': async () => {
    const { UserManager } = await import('oidc-client-ts')
    const manager = new UserManager({
      authority: 'https://login.example.org/realms/shop',
      client_id: 'shop',
      redirect_uri: 'https://www.example.org/callback?from=%2Fen%2Fbasket',
      scope: 'openid profile email offline_access',
      response_type: 'code',
      extraQueryParams: {
        ui_locales: 'de en',
        claims: JSON.stringify({
          id_token: { email: { essential: true }, acr: { values: ['urn:mace:incommon:iap:silver'] } },
        }),
      },
    })
    await settled(
      manager.signinSilent({ state: { returnTo: '/en/basket?step=2&note=it%27s', items: [product] } }),
    )
    const state = btoa(JSON.stringify({ returnTo: '/en/basket', nonce: 'x0Yw2' }))
    for (const query of [
      {
        code: '18fff8a9.x0Yw2-mQ3_cX1b7~N9s4Q',
        state,
        session_state: '18fff8a9',
        iss: 'https://login.example.org/realms/shop',
      },
      {
        error: 'access_denied',
        error_description: "The user didn't consent; try again (AADSTS65004).",
        state,
      },
    ])
      await send(`https://www.example.org/callback?${new URLSearchParams(query)}`)
    await send(
      'https://login.example.org/realms/shop/protocol/openid-connect/token',
      form({
        grant_type: 'authorization_code',
        code: '0.AXoAx0Yw2-mQ3_cX1b7',
        redirect_uri: 'https://www.example.org/callback',
        code_verifier: 'x0Yw2mQ3cX1b7N9s4QaBcDeFgHiJkLmNoPqRsTuVwXyZ_-~.',
        client_id: 'shop',
      }),
    )
    await send(
      'https://www.example.org/signin-oidc',
      form({
        code: 'x',
        id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmVk',
        state: 'CfDJ8Jx0Yw2mQ3cX1b7N9s4Q',
        session_state: '18f',
      }),
    )
  },
  launchdarkly: async () => {
    const { initialize } = await import('launchdarkly-js-client-sdk')
    const client = initialize(
      '8f2a9c41d0b7e35f66a1c2d3',
      {
        kind: 'user',
        key: 'u-1042',
        name: people[0].name,
        email: people[0].email,
        custom: { groups: ['beta', 'select'] },
      },
      { baseUrl: collector, eventsUrl: collector, streamUrl: collector, flushInterval: 2000 },
    )
    await settled(client.waitForInitialization(1))
    client.track('basket', product)
    await settled(client.flush())
  },
  unleash: async () => {
    const { UnleashClient } = await import('unleash-proxy-client')
    const client = new UnleashClient({
      url: `${collector}/api/frontend`,
      clientKey: 'default:production.8f2a',
      appName: 'shop',
      metricsIntervalInitial: 1,
      context: { userId: people[1].email, properties: { plan: 'A & B', region: 'Köln' } },
    })
    await settled(client.start())
    client.isEnabled('new-basket')
    await pause(1500)
    client.stop()
  },
  growthbook: async () => {
    const { GrowthBook } = await import('@growthbook/growthbook')
    const client = new GrowthBook({
      apiHost: collector,
      clientKey: 'sdk-8f2a',
      attributes: people[2],
      remoteEval: true,
    })
    await settled(client.init({ timeout: 1000 }))
  },
}

export const use = useOf(libraries)
