import { collector, comments, form, json, pause, pixel, product, searches, send } from './content.js'
import { useOf } from './use.js'

const ads = 'https://ads.example.org'
const adUnit = (code, bids) => ({
  code,
  mediaTypes: {
    banner: {
      sizes: [
        [300, 250],
        [728, 90],
      ],
    },
  },
  bids,
})
const page = () => encodeURIComponent(location.href)
const referrer = () => encodeURIComponent(document.referrer)

/** Advertising, consent, tests of variants, and the pixels of pages. */
const libraries = {
  prebid: async () => {
    const { default: pbjs } = await import('prebid.js')
    await import('prebid.js/modules/appnexusBidAdapter')
    await import('prebid.js/modules/rubiconBidAdapter')
    await import('prebid.js/modules/openxBidAdapter')
    await import('prebid.js/modules/criteoBidAdapter')
    await import('prebid.js/modules/pubmaticBidAdapter')
    await import('prebid.js/modules/ixBidAdapter')
    pbjs.processQueue()
    pbjs.setConfig({ bidderTimeout: 1500, userSync: { syncEnabled: true } })
    pbjs.addAdUnits([
      adUnit('div-top', [
        {
          bidder: 'appnexus',
          params: { placementId: 13144370, keywords: { genre: ['garden', "women's"], q: [searches[2]] } },
        },
        {
          bidder: 'rubicon',
          params: { accountId: 14062, siteId: 70608, zoneId: 498816, inventory: { rating: ['5-star'] } },
        },
        { bidder: 'openx', params: { unit: '539439964', delDomain: 'ads.example.org' } },
        { bidder: 'criteo', params: { networkId: 4902 } },
        { bidder: 'pubmatic', params: { publisherId: '156209', adSlot: 'top@300x250' } },
        { bidder: 'ix', params: { siteId: '123456', size: [300, 250] } },
      ]),
    ])
    await new Promise((resolve) => pbjs.requestBids({ timeout: 2500, bidsBackHandler: resolve }))
    await pause(1000)
  },
  'documented-google-analytics': async () => {
    const common = `v=2&tid=G-7XKQZ4M1PB&gtm=45je4650v9134567890za200&_p=1718000000123&gcs=G111&gcd=13r3r3l3l5l1&npa=0&dma_cps=sypham&dma=1&tag_exp=0&cid=1712345678.1718000000&ul=en-gb&sr=1440x900&uaa=x86&uab=64&uafvl=Not%252FA)Brand%3B8.0.0.0%7CChromium%3B126.0.6478.61&uamb=0&uam=&uap=Windows&uapv=15.0.0&uaw=0&are=1&pscdl=noapi&_s=1&sid=1718000000&sct=3&seg=1&dl=${page()}&dr=${referrer()}&dt=${encodeURIComponent(document.title)}`
    await send(
      `${collector}/g/collect?${common}&en=page_view&_ee=1&ep.content_group=Garden%20%26%20Chairs&epn.price=129.9&tfd=1832`,
      { method: 'POST' },
    )
    await send(
      `${collector}/g/collect?${common}&en=add_to_cart&cu=EUR&pr1=${encodeURIComponent(`id${product.sku}~nm${product.name}~br${product.brand}~caGarden~c2Chairs~pr129.9~qt2~lnSearch results~lp1`)}&ep.search_term=${encodeURIComponent(searches[3])}&_et=5120`,
      { method: 'POST' },
    )
    await send(`${collector}/g/collect?${common}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body: `en=scroll&epn.percent_scrolled=90&_et=3210\r\nen=view_search_results&ep.search_term=${encodeURIComponent(searches[0])}\r\nen=click&ep.link_url=${encodeURIComponent("https://www.example.net/?a[]=1&b=it's")}&ep.outbound=true`,
    })
    await pixel(
      `${collector}/j/collect?v=1&_v=j101&a=402938475&t=event&ec=Outbound%20links&ea=click&el=${encodeURIComponent(product.name)}&_u=YEBAAEABAAAAACAAI~&jid=&gjid=&cid=1712345678.1718000000&tid=UA-1042-1&_gid=1098115397.1718000000&gtm=45He4650&cd1=${encodeURIComponent("Member (guest); it's")}&z=1203948576`,
    )
  },
  'documented-google-ads': async () => {
    await pixel(
      `${ads}/pagead/viewthroughconversion/938475610/?random=1718000000123&cv=11&fst=1718000000123&bg=ffffff&guid=ON&async=1&gtm=45be4650&gcs=G111&u_w=1440&u_h=900&url=${page()}&ref=${referrer()}&label=x0Yw2&hn=www.googleadservices.com&frm=0&tiba=${encodeURIComponent(document.title)}&value=259.8&currency_code=EUR&auid=938475610.1718000000&uaa=x86&data=${encodeURIComponent("event=purchase;items=CH-104/2,T-7;ecomm_pagetype=cart;user=it's")}&rfmt=3&fmt=4`,
    )
    await send(
      `${ads}/gampad/ads?pvsid=3984756102938475&correlator=1203948576&eid=31084127%2C95332923&output=ldjh&gdfp_req=1&vrg=202406040101&ptt=17&impl=fifs&iu_parts=1042%2Cexample%2Cgarden&enc_prev_ius=%2F0%2F1%2F2&prev_iu_szs=300x250%7C728x90&ifi=1&sfv=1-0-40&sc=1&cookie=ID%3D18fff8a96a0e4d7c%3AT%3D1718000000%3AS%3DALNI_MaBcDe&abxe=1&lmt=1718000000&dlt=1718000000000&idt=412&cust_params=${encodeURIComponent('q=стул&price=10-250&tags=oak,2 pcs&user=guest&kw[]=chair')}&prev_scp=pos%3Dtop%26hb_bidder%3Dappnexus%26hb_size%3D300x250%26hb_pb%3D0.50&adks=3486512&frm=20&vis=1&psz=1440x0&msz=1440x0&fws=4&ohw=1440&ga_vid=1712345678.1718000000&td=1&nt=1&psd=WzE3LFtdLG51bGwsM10.&url=${page()}&uach=${btoa(JSON.stringify(['Windows', '15.0.0', 'x86', '', '126.0.6478.61', null, 0, null, '64', [['Not/A)Brand', '8.0.0.0']], 0]))}`,
    )
    await send(
      `${ads}/ccm/collect?en=page_view&dl=${page()}&scrsrc=www.googletagmanager.com&rnd=402938475.1718000000&auid=938475610.1718000000&navt=n&npa=0&gtm=45be4650&tft=1718000000123&apve=1`,
    )
  },
  'documented-facebook': async () => {
    await pixel(
      `${ads}/tr/?id=104200001111&ev=AddToCart&dl=${page()}&rl=${referrer()}&if=false&ts=1718000000123&cd[content_ids]=${encodeURIComponent('["CH-104/2"]')}&cd[content_name]=${encodeURIComponent(product.name)}&cd[contents]=${encodeURIComponent('[{"id":"CH-104/2","quantity":2}]')}&cd[value]=129.90&cd[currency]=EUR&udff[em]=8f2a9c41d0b7e35f66a1c2d3e4f50617&sw=1440&sh=900&v=2.9.157&r=stable&a=plGTM&ec=1&o=4126&fbp=fb.1.1718000000123.1098115397&cs_est=true&ler=empty&it=1718000000045&coo=false&exp=l1&rqm=GET`,
    )
    await send(`${ads}/tr/`, {
      ...form({
        id: '104200001111',
        ev: 'SubscribedButtonClick',
        dl: location.href,
        'cd[buttonFeatures]': JSON.stringify({
          classList: 'btn btn--primary js-add',
          destination: '',
          id: 'buy',
          imageUrl: 'url("/a.png")',
          innerText: 'Add to basket',
          numChildButtons: 0,
          tag: 'button',
          type: 'submit',
        }),
        'cd[formFeatures]': '[{"id":"name","name":"name","tag":"input","inputType":"text"}]',
        'cd[pageFeatures]': JSON.stringify({ title: document.title }),
      }),
    })
  },
  'documented-bing-uet': async () => {
    await pixel(
      `${ads}/action/0?ti=1042&Ver=2&mid=18fff8a9-6a0e-4d7c&bo=1&sid=18fff8a0&vid=18fff8a1&vids=1&msclkid=N&pi=918639831&lg=en-GB&sw=1440&sh=900&sc=24&tl=${encodeURIComponent(document.title)}&kw=chair,%20oak;%20garden&p=${page()}&r=${referrer()}&lt=1832&evt=pageLoad&sv=1&cdb=AQAQ&rn=402938`,
    )
  },
  'documented-social-pixels': async () => {
    await send(
      `${ads}/api/v2/pixel`,
      json(
        {
          event: 'ViewContent',
          event_id: '',
          message_id: 'messageId-1718000000123-4029384750192-x0Yw2',
          is_onsite: false,
          timestamp: new Date(0).toISOString(),
          context: {
            ad: { callback: 'E.C.P.x0Yw2' },
            user: { anonymous_id: '18fff8a9' },
            pixel: { code: 'C4A1' },
            page: { url: location.href, referrer: document.referrer },
            library: { name: 'pixel.js', version: '2.2.0' },
            userAgent: navigator.userAgent,
          },
          properties: { contents: [product], query: searches[1] },
        },
        'text/plain;charset=UTF-8',
      ),
    )
    await pixel(
      `${ads}/v3/?event=pagevisit&tid=2612345678901&pd=${encodeURIComponent('{"em":"8f2a9c41","np":"gtm"}')}&ed=${encodeURIComponent(JSON.stringify({ line_items: [product], search_query: searches[0] }))}&ad=${encodeURIComponent(JSON.stringify({ loc: location.href, ref: document.referrer, if: false, sh: 900, sw: 1440 }))}&cb=1718000000123`,
    )
    await pixel(`${ads}/collect/?pid=104200&fmt=js&time=1718000000123&li_adsId=18fff8a9&url=${page()}`)
    await send(
      `${ads}/wa/`,
      json(
        {
          pids: [104200],
          scriptVersion: 174,
          time: 1718000000123,
          domain: 'example.org',
          url: location.href,
          pageTitle: document.title,
          websiteSignalRequestId: '18f',
          isTranslated: false,
          signalType: 'CLICK',
          href: '',
          domAttributes: {
            elementSemanticType: null,
            elementValue: null,
            tagName: 'BUTTON',
            innerText: 'Add to basket',
            cursor: 'pointer',
          },
          innerElements: null,
          elementCrumbsTree: [
            { tagName: 'main', nthChild: 1 },
            {
              tagName: 'button',
              nthChild: 3,
              id: 'buy',
              classes: ['btn', 'btn--primary'],
              attributes: { 'data-sku': 'CH-104/2' },
            },
          ],
        },
        'text/plain;charset=UTF-8',
      ),
    )
    await pixel(
      `${ads}/i/adsct?bci=3&dv=${encodeURIComponent('Europe/Berlin&en-GB&Google Inc.&Linux x86_64&255&1440&900&24&24&1440&870&0&na')}&eci=2&event_id=18f&events=${encodeURIComponent('[["pageview",null]]')}&integration=gtm&p_id=Twitter&p_user_id=0&tw_document_href=${page()}&tw_iframe_status=0&txn_id=o1042&type=javascript&version=2.3.30`,
    )
  },
  'documented-yandex-metrika': async () => {
    const info =
      'pv:1:gdpr:14:vf:6x0yw2mq3cx1b7:fp:1832:fu:0:en:utf-8:la:ru-RU:v:1418:cn:1:dp:0:ls:402938475610:hid:293847561:z:180:i:20240610091320:et:1718000001:c:1:rn:102938475:rqn:3:u:1718000000123456789:w:1440x789:s:1440x900x24:sk:1:fp:1:ds:0,12,345,67,1,0,,890,3,,,,1301:wv:2:co:0:cpf:1:ns:1718000000000:st:1718000001'
    await send(
      `${collector}/watch/10420000?wmode=7&page-url=${page()}&page-ref=${referrer()}&charset=utf-8&uah=${encodeURIComponent('chu\n"Chromium";v="126"\ncha\nx86\nche\n0\nchf\n126.0.6478.61')}&browser-info=${encodeURIComponent(info)}t:${encodeURIComponent('Стул для сада: купить "Осе" (2 шт.)')}&t=gdpr(14)clc(0-0-0)rqnt(1)aw(1)rcm(1)cdl(na)eco(42009092)ti(0)`,
      form({
        'site-info': JSON.stringify({
          поиск: searches[3],
          __ym: { ecommerce: [{ add: { products: [product] } }] },
        }),
      }),
    )
    await send(
      `${collector}/webvisor/10420000?wv-part=1&wv-type=7&wmode=0&wv-hit=293847561&page-url=${page()}&rn=402938&browser-info=we%3A1%3Aet%3A1718000002%3Aw%3A1440x789`,
      {
        method: 'POST',
        body: JSON.stringify([
          {
            type: 'mutation',
            data: { meta: null, frameId: 0, target: 4, content: '<div class="row" style="display:none">' },
            stamp: 1832,
          },
        ]),
      },
    )
  },
  'documented-baidu': async () => {
    await pixel(
      `${collector}/hm.gif?hca=18FFF8A9&cc=1&ck=1&cl=24-bit&ds=1440x900&vl=789&ep=${encodeURIComponent('搜索*点击*椅子 木製*')}&et=4&ja=0&ln=zh-cn&lo=0&lt=1718000000&rnd=402938475&si=8f2a9c41d0b7e35f&su=${referrer()}&v=1.3.2&lv=2&sn=10293&r=0&ww=1440&u=${page()}&tt=${encodeURIComponent('椅子的选择方法_花园家具【价格 图片 评论】')}`,
    )
  },
  'documented-adobe-analytics': async () => {
    await pixel(
      `${collector}/b/ss/examplecomprod/1/JS-2.22.4/s40293847561029?AQB=1&ndh=1&pf=1&t=10%2F5%2F2024%208%3A13%3A20%201%20-120&mid=23456789012345678901234567890&aamlh=6&ce=UTF-8&pageName=en%3Agarden%3Achairs%7Case&g=${page()}&r=${referrer()}&cc=EUR&ch=garden&events=event1%2CprodView%2Cevent20%3D3.2&products=Garden%3BCH-104%2F2%3B2%3B259.80%3Bevent5%3D1%7Cevent6%3D2%3BeVar3%3Doak%7CeVar4%3D%22L%22&c.&getPreviousValue=3.0.1&a.&activitymap.&page=home&link=Add%20to%20basket&region=main&pageIDType=1&.activitymap&.a&.c&v1=D%3Dc1&v12=${encodeURIComponent(searches[1])}&s=1440x900&c=24&j=1.6&v=N&k=Y&bw=1440&bh=789&mcorgid=1A2B3C4D5E6F7A8B0A495C2E%40AdobeOrg&AQE=1`,
    )
    await send(
      `${collector}/ee/irl1/v1/interact?configId=18fff8a9&requestId=6f0e8a9c`,
      json(
        {
          meta: {
            configOverrides: {},
            state: {
              domain: 'example.org',
              cookiesEnabled: true,
              entries: [{ key: 'kndctr_1A2B_AdobeOrg_identity', value: 'CiYyMzQ1==' }],
            },
          },
          query: {
            personalization: {
              schemas: ['https://ns.adobe.com/personalization/html-content-item'],
              decisionScopes: ['__view__'],
            },
          },
          events: [
            {
              xdm: {
                eventType: 'web.webpagedetails.pageViews',
                web: {
                  webPageDetails: { URL: location.href, name: product.name },
                  webReferrer: { URL: document.referrer },
                },
                environment: {
                  browserDetails: {
                    userAgentClientHints: { brands: [{ brand: 'Not/A)Brand', version: '8' }] },
                  },
                },
              },
              data: { __adobe: { target: { 'profile.name': "O'Connor" } } },
            },
          ],
        },
        'text/plain; charset=UTF-8',
      ),
    )
  },
  'documented-hotjar-clarity': async () => {
    await send(
      `${collector}/collect`,
      json(
        {
          e: ['0.7.34', 3, 1832, 5120, 'x0yw2mq3cx', '18fff8a9', 'q3cx1b7', 2, 1, 0, 0],
          a: [
            [412, 4, 1, 'BODY', null, 'class', 'home page', '*T', '*M'],
            [1832, 12, 'click', "main>button#buy.btn[data-sku='CH-104/2']", comments[0]],
          ],
          p: [[0, 5, 1, null, 'HTML', 'lang', 'en', 'style', '--x:1px;', '<script src="/app.js">']],
        },
        'text/plain;charset=UTF-8',
      ),
    )
    await send(
      `${collector}/api/v2/client/sites/1234567/visit-data?sv=7`,
      json(
        {
          tags: ['a/b:variant-2'],
          rec_value: 1,
          user_agent: navigator.userAgent,
          url: location.href,
          attributes: { plan: "it's free" },
        },
        'text/plain',
      ),
    )
  },
  'documented-variant-tests': async () => {
    await pixel(
      `${collector}/j.php?a=104200&u=${page()}&vn=2.1&x=true&f=1&r=0.4837261950123&_vwo_ds=3%3At_0%2Ca_0%3A0%241718000000%3A34.5&sed=${encodeURIComponent('{"r":"","vId":"D18F"}')}`,
    )
    await send(
      `${collector}/v1/events`,
      json(
        {
          account_id: '1042',
          anonymize_ip: true,
          client_name: 'js',
          client_version: '0.198.0',
          enrich_decisions: true,
          visitors: [
            {
              visitor_id: 'oeu1718000000123r0.4837261950123',
              session_id: 'AUTO',
              attributes: [{ e: null, k: '', t: 'first_session', v: false }],
              snapshots: [
                {
                  decisions: [{ campaign_id: '7', experiment_id: '8', variation_id: '9' }],
                  events: [
                    {
                      e: '104',
                      k: 'add_to_basket',
                      q: null,
                      t: 1718000000123,
                      u: '18f',
                      y: 'click',
                      p: {
                        selector: 'button.btn--primary[data-sku="CH-104/2"], form > input:not([type=hidden])',
                      },
                    },
                  ],
                },
              ],
            },
          ],
        },
        'text/plain',
      ),
    )
    await send(
      `${collector}/rest/v1/delivery?client=example&sessionId=6f0e&version=2.11.4`,
      json(
        {
          requestId: '18f',
          context: {
            userAgent: navigator.userAgent,
            channel: 'web',
            address: { url: location.href, referringUrl: document.referrer },
          },
          execute: { pageLoad: { parameters: { 'entity.id': 'CH-104/2', 'user.categoryId': 'garden' } } },
        },
        'text/plain',
      ),
    )
  },
  'documented-consent': async () => {
    await send(
      `${collector}/request/v1/consentreceipts`,
      json({
        requestInformation: 'eyJhbGciOiJSUzUxMiJ9.eyJvdEp3dFZlcnNpb24iOjF9.c2lnbmVk',
        identifier: '6f0e8a9c',
        customPayload: { Interaction: 1, AddDefaultInteraction: false },
        isAnonymous: true,
        test: false,
        purposes: [{ Id: '18f', TransactionType: 'CONFIRMED' }],
        dsDataElements: {
          InteractionType: 'Banner - Allow All',
          Country: 'DE',
          UserAgent: navigator.userAgent,
          ConsentModel: 'opt-in',
        },
        language: 'de',
      }),
    )
    await pixel(
      `${collector}/logconsent.ashx?action=accept&nocache=1718000000123&referer=${encodeURIComponent(location.origin)}&cbid=18fff8a9&lang=en&dnt=false&domain=example.org&clp=true&cls=true&clm=false&bulkset=true&cbs=%7B%22c%22%3A1%7D`,
    )
    await send(
      `${collector}/wp-admin/admin-ajax.php`,
      form({
        action: 'borlabs_cookie_handler',
        type: 'log',
        language: 'de',
        cookieData: JSON.stringify({
          consents: { essential: ['borlabs-cookie'], statistics: ['google-analytics'] },
          domainPath: 'www.example.org/',
          uid: 'x0yw-2mq3',
          version: '1',
        }),
        essentialStatistic: 'false',
      }),
    )
  },
}

export const use = useOf(libraries)
