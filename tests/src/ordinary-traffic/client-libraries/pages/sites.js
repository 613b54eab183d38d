import { article, comments, form, json, people, pixel, product, searches, send } from './content.js'
import { useOf } from './use.js'

const shop = 'https://www.example.org'
const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Bytes as a server seals the state of a page. */
const sealed = (length, seed = 7) =>
  btoa(
    String.fromCharCode(...Array.from({ length }, (_, index) => (index * index * seed + index * 31) % 256)),
  )

/** A form as a page submits it, without leaving the page. */
const submit = (address, values, enctype = 'application/x-www-form-urlencoded') =>
  new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.name = `frame${Math.random()}`
    const made = document.createElement('form')
    Object.assign(made, { action: address, method: 'post', enctype, target: frame.name })
    for (const [name, value] of values) {
      const input = document.createElement('textarea')
      Object.assign(input, { name, value })
      made.append(input)
    }
    document.body.append(frame, made)
    frame.onload = resolve
    setTimeout(resolve, 1500)
    made.submit()
  })

const saml = (kind) =>
  `<samlp:${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_8f2a9c41" Version="2.0" IssueInstant="2024-06-10T06:13:20Z" Destination="${shop}/saml/acs"><saml:Issuer>https://login.example.org/idp</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_a1" Version="2.0"><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignatureValue>${sealed(256)}</ds:SignatureValue></ds:Signature><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${people[0].email}</saml:NameID></saml:Subject><saml:AttributeStatement><saml:Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name"><saml:AttributeValue>${people[0].name}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:${kind}>`

/** Requests that applications and widgets of sites have documented, sent as their pages send them. */
const libraries = {
  'documented-asp-net-pages': async () => {
    for (const [index, person] of people.entries()) {
      const state = [
        ['__EVENTTARGET', 'ctl00$MainContent$grdOrders$ctl05$lnkSelect'],
        ['__EVENTARGUMENT', `Page$${index}`],
        ['__LASTFOCUS', ''],
        ['__VIEWSTATE', `/wEPDwUK${sealed(1200, index + 3)}`],
        ['__VIEWSTATEGENERATOR', 'CA0B0334'],
        ['__SCROLLPOSITIONX', '0'],
        ['__EVENTVALIDATION', `/wEdAA${sealed(180, index + 5)}`],
        ['__PREVIOUSPAGE', sealed(60).replaceAll('+', '-').replaceAll('/', '_')],
        ['ctl00$MainContent$txtName', person.name],
        ['ctl00$MainContent$txtStreet', person.street],
        ['ctl00$MainContent$txtNote', comments[index]],
        ['ctl00$MainContent$ddlState', '-- select --'],
        ['ctl00$MainContent$btnSave', 'Save & close >>'],
      ]
      if (index % 2)
        await submit(`${shop}/Orders/Edit.aspx?id=104&ReturnUrl=%2fOrders%2fDefault.aspx%3fpage%3d2`, state)
      else
        await send(`${shop}/Orders/Edit.aspx`, {
          ...form([
            ['ctl00$ScriptManager1', 'ctl00$MainContent$upd|ctl00$MainContent$btnSave'],
            ...state,
            ['__ASYNCPOST', 'true'],
          ]),
          headers: {
            'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
            'x-microsoftajax': 'Delta=true',
            'x-requested-with': 'XMLHttpRequest',
            'cache-control': 'no-cache',
          },
        })
    }
    await send(
      `${shop}/WebResource.axd?d=${sealed(60).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}2&t=638502912000000000`,
    )
    await send(
      `${shop}/Services/Orders.asmx/Find`,
      json(
        { text: "O'Connor", from: '/Date(1718000000123+0200)/', options: { __type: 'Shop.FindOptions' } },
        'application/json; charset=utf-8',
      ),
    )
    await send(`${shop}/Services/Orders.asmx`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '"http://example.org/Find"' },
      body: `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><Find xmlns="http://example.org/"><text>${people[0].name.replace('&', '&amp;')}</text><note><![CDATA[${comments[1]}]]></note></Find></soap:Body></soap:Envelope>`,
    })
  },
  'documented-jsf': async () => {
    await send(`${shop}/orders.xhtml;jsessionid=0000x0Yw2mQ3`, {
      ...form([
        ['javax.faces.partial.ajax', 'true'],
        ['javax.faces.source', 'form:table'],
        ['javax.faces.partial.execute', 'form:table @(.ui-input)'],
        ['javax.faces.partial.render', '@form :messages'],
        ['javax.faces.behavior.event', 'page'],
        ['form:table_pagination', 'true'],
        ['form:table_first', '20'],
        ['form:table:globalFilter', searches[1]],
        ['form:table:0:j_idt47', people[0].name],
        ['form_SUBMIT', '1'],
        ['form', 'form'],
        ['javax.faces.ViewState', '-8402938475610293847:3029384756102938475'],
      ]),
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'faces-request': 'partial/ajax',
        accept: 'application/xml, text/xml, */*; q=0.01',
      },
    })
    await submit(`${shop}/orders.jsf`, [
      ['j_id_jsp_1042_1:note', comments[0]],
      ['javax.faces.ViewState', `H4sIAAAAAAAAA${sealed(700)}`],
      ['autoScroll', '0,412'],
    ])
    await send(
      `${shop}/wicket/bookmarkable/org.example.shop.OrdersPage?3-1.IBehaviorListener.0-form-name&_=1718000000123`,
      form({ 'tabs:panel:form:name': people[1].name, id1_hf_0: '' }),
    )
    await send(
      `${shop}/VAADIN/?v-uiId=0&v-r=uidl`,
      json({
        csrfToken: '18f',
        rpc: [
          ['12', 'v', 'v', ['text', ['s', comments[5]]]],
          ['0', 'com.vaadin.shared.ui.ui.UIServerRpc', 'resize', [900, 1440, 1440, 900]],
        ],
        syncId: 4,
        clientId: 5,
      }),
    )
    await send(
      `${shop}/zkau`,
      form({
        dtid: 'z_x0y',
        cmd_0: 'onChange',
        uuid_0: 'h2mQ3',
        data_0: JSON.stringify({ value: people[0].street, start: 7 }),
        cmd_1: 'onClick',
        data_1: '{"pageX":412,"pageY":293,"which":1}',
      }),
    )
  },
  'documented-dwr-gwt': async () => {
    await send(`${shop}/dwr/call/plaincall/OrderService.find.dwr`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: `callCount=1\nwindowName=\nnextReverseAjaxIndex=0\nc0-scriptName=OrderService\nc0-methodName=find\nc0-id=0\nc0-e1=string:${encodeURIComponent(searches[0])}\nc0-e2=number:20\nc0-param0=Object_Object:{text:reference:c0-e1, max:reference:c0-e2}\nbatchId=3\ninstanceId=0\npage=%2Forders%3Fpage%3D2\nscriptSessionId=x0Yw2mQ3$cX1b7*N9/4029-8475\n`,
    })
    await send(`${shop}/shop/orderService`, {
      method: 'POST',
      headers: {
        'content-type': 'text/x-gwt-rpc; charset=UTF-8',
        'x-gwt-permutation': '8F2A9C41D0B7E35F',
        'x-gwt-module-base': `${shop}/shop/`,
      },
      body: `7|0|8|${shop}/shop/|8F2A9C41D0B7E35F|org.example.shop.client.OrderService|find|java.lang.String/2004016611|java.util.List|O'Connor & Sons|java.util.ArrayList/4159755760|1|2|3|4|2|5|6|7|8|0|`,
    })
  },
  'documented-saml': async () => {
    await submit(`${shop}/saml/acs`, [
      ['SAMLResponse', base64(saml('Response'))],
      ['RelayState', `${shop}/en/account?tab=orders&from=mail`],
    ])
    await submit(`${shop}/wp-login.php?saml_acs`, [
      ['SAMLResponse', base64(saml('Response'))],
      ['RelayState', 'ss:mem:8f2a9c41d0b7e35f'],
    ])
    await submit(
      `${shop}/adfs/ls/?wa=wsignin1.0&wtrealm=urn%3aexample%3ashop&wctx=rm%3d0%26id%3dpassive%26ru%3d%252forders%253fpage%253d2&wct=2024-06-10T06%3a13%3a20Z`,
      [
        ['UserName', 'EXAMPLE\\siobhan'],
        ['Password', "Corr3ct;horse'battery"],
        ['AuthMethod', 'FormsAuthentication'],
      ],
    )
    await submit(`${shop}/_trust/default.aspx`, [
      ['wa', 'wsignin1.0'],
      [
        'wresult',
        `<t:RequestSecurityTokenResponse xmlns:t="http://schemas.xmlsoap.org/ws/2005/02/trust"><t:Lifetime><wsu:Created xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd">2024-06-10T06:13:20Z</wsu:Created></t:Lifetime>${saml('Assertion')}</t:RequestSecurityTokenResponse>`,
      ],
      ['wctx', `${shop}/_layouts/15/Authenticate.aspx?Source=%2Fsites%2Fshop`],
    ])
    await send(
      `https://login.example.org/idp/SSO?SAMLRequest=${encodeURIComponent(sealed(420))}&RelayState=${encodeURIComponent(`${shop}/?a=1&b=2`)}&SigAlg=${encodeURIComponent('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}&Signature=${encodeURIComponent(sealed(256, 5))}`,
    )
  },
  'documented-word-press': async () => {
    const ajax = `${shop}/wp-admin/admin-ajax.php`
    await send(
      ajax,
      form({
        action: 'heartbeat',
        _nonce: '8f2a9c41d0',
        interval: '15',
        screen_id: 'post',
        has_focus: 'true',
        'data[wp-refresh-post-lock][post_id]': '7',
        'data[wp-refresh-post-lock][lock]': '1718000000:1',
        'data[wp_autosave][content]': article,
        'data[wp_autosave][post_title]': product.name,
      }),
    )
    await send(
      ajax,
      form({
        action: 'elementor_ajax',
        editor_post_id: '7',
        actions: JSON.stringify({
          save_builder: {
            action: 'save_builder',
            data: {
              status: 'autosave',
              elements: [
                {
                  id: '8f2a',
                  elType: 'widget',
                  settings: {
                    editor: article,
                    title: "It's new",
                    _css_classes: 'a b',
                    link: { url: 'https://www.example.org', custom_attributes: 'data-x|1' },
                  },
                  widgetType: 'text-editor',
                },
              ],
            },
          },
        }),
      }),
    )
    await send(
      ajax,
      form({
        action: 'load_more',
        query: JSON.stringify({
          post_type: 'post',
          posts_per_page: 9,
          orderby: 'date',
          order: 'DESC',
          meta_query: [{ key: '_price', value: [10, 250], compare: 'BETWEEN' }],
          tax_query: [{ taxonomy: 'color', field: 'slug', terms: ['oak'], operator: 'IN' }],
        }),
        page: '2',
      }),
    )
    await send(
      ajax,
      form({
        action: 'wpforms_submit',
        'wpforms[fields][0][first]': 'Siobhán',
        'wpforms[fields][0][last]': "O'Connor",
        'wpforms[fields][3]': comments[0],
        page_url: location.href,
        page_title: document.title,
      }),
    )
    const contact = new FormData()
    for (const [name, value] of [
      ['_wpcf7', '7'],
      ['_wpcf7_unit_tag', 'wpcf7-f7-p12-o1'],
      ['your-name', people[1].name],
      ['your-message', comments[6]],
      ['_wpcf7_posted_data_hash', ''],
      ['_wpcf7_recaptcha_response', sealed(300)],
    ])
      contact.append(name, value)
    await send(`${shop}/wp-json/contact-form-7/v1/contact-forms/7/feedback`, {
      method: 'POST',
      body: contact,
    })
    await send(
      `${shop}/?rest_route=/wc/store/v1/batch&_locale=site`,
      json({
        requests: [
          {
            path: '/wc/store/v1/cart/update-customer',
            method: 'POST',
            cache: 'no-store',
            body: { billing_address: people[0], shipping_address: people[1] },
            headers: { Nonce: '8f2a' },
          },
        ],
      }),
    )
    await send(
      `${shop}/?wc-ajax=update_order_review`,
      form({
        security: '8f2a',
        payment_method: 'stripe',
        country: 'IE',
        address: people[0].street,
        has_full_address: 'true',
        post_data: new URLSearchParams({
          billing_first_name: 'Siobhán',
          billing_address_1: people[0].street,
          order_comments: comments[5],
          'shipping_method[0]': 'flat_rate:3',
          _wp_http_referer: '/?wc-ajax=update_order_review',
        }).toString(),
      }),
    )
    await submit(`${shop}/wp-comments-post.php`, [
      ['comment', comments[3]],
      ['author', people[2].name],
      ['url', ''],
      ['comment_post_ID', '7'],
      ['ak_js', '1718000000123'],
    ])
  },
  'documented-magento': async () => {
    await send(
      `${shop}/customer/section/load/?sections=cart%2Cmessages%2Cdirectory-data&force_new_section_timestamp=false&_=1718000000123`,
    )
    await send(
      `${shop}/rest/default/V1/guest-carts/x0Yw2mQ3cX1b7/shipping-information`,
      json({
        addressInformation: {
          shipping_address: {
            countryId: 'IE',
            street: [people[0].street],
            postcode: people[0].zip,
            firstname: 'Siobhán',
            lastname: "O'Connor",
            customAttributes: [],
            extension_attributes: {},
          },
          shipping_method_code: 'flatrate',
        },
      }),
    )
    const cart = new FormData()
    for (const [name, value] of [
      ['product', '104'],
      ['selected_configurable_option', ''],
      ['form_key', 'x0Yw2mQ3cX1b7'],
      ['super_attribute[93]', '52'],
      ['options[7]', comments[5]],
      ['uenc', btoa(location.origin).replace('=', ',')],
    ])
      cart.append(name, value)
    await send(
      `${shop}/checkout/cart/add/uenc/${btoa('https://www.example.org/en').replaceAll('=', ',')}/product/104/`,
      { method: 'POST', body: cart },
    )
    await send(
      `${shop}/graphql?query=${encodeURIComponent('query getProducts($filter:ProductAttributeFilterInput!){products(filter:$filter,sort:{price:ASC}){items{id name price_range{minimum_price{final_price{value currency}}}}total_count}}')}&operationName=getProducts&variables=${encodeURIComponent('{"filter":{"name":{"match":"women\'s coat"}}}')}`,
    )
  },
  'documented-shopify': async () => {
    await send(
      `${shop}/cart/add.js`,
      json({
        items: [
          { id: 41029384756, quantity: 2, properties: { _gift: 'yes', Engraving: "Ann & Bob's 10th" } },
        ],
        sections: 'cart-drawer,cart-icon-bubble',
        sections_url: '/en/products/ase',
      }),
    )
    await send(
      `${shop}/search/suggest?q=${encodeURIComponent(searches[1])}&resources[type]=product,query&resources[limit]=10&resources[options][fields]=title,vendor,variants.sku&section_id=predictive-search`,
    )
    await send(
      `${shop}/collections/chairs?filter.v.price.gte=10&filter.v.option.color=Oak&filter.p.m.custom.material=Solid+wood&sort_by=price-ascending&section_id=template--1042__main`,
    )
    await send(
      `${shop}/.well-known/shopify/monorail/unstable/produce_batch`,
      json(
        {
          events: [
            {
              schema_id: 'storefront_customer_tracking/4.27',
              payload: {
                event_name: 'page_viewed',
                canonical_url: location.href,
                products: [JSON.stringify(product)],
                user_agent: navigator.userAgent,
                referrer: document.referrer,
              },
              metadata: { event_created_at_ms: 1718000000123 },
            },
          ],
          metadata: { event_sent_at_ms: 1718000000456 },
        },
        'text/plain;charset=UTF-8',
      ),
    )
  },
  'documented-typo3-drupal': async () => {
    await submit(
      `${shop}/kontakt?tx_form_formframework%5Baction%5D=perform&tx_form_formframework%5Bcontroller%5D=FormFrontend&cHash=8f2a9c41d0b7e35f`,
      [
        [
          'tx_form_formframework[kontakt-7][__state]',
          `TzozOToiVFlQTzNcQ01TXEZvcm1cRG9tYWluXFJ1bnRpbWVcRm9ybVN0YXRlIjoy${sealed(120)}8f2a9c41d0b7e35f`,
        ],
        [
          'tx_form_formframework[__trustedProperties]',
          '{"kontakt-7":{"text-1":1,"textarea-1":1}}8f2a9c41d0b7e35f',
        ],
        ['tx_form_formframework[kontakt-7][text-1]', people[1].name],
        ['tx_form_formframework[kontakt-7][textarea-1]', comments[1]],
      ],
    )
    await send(
      `${shop}/en/views/ajax?_wrapper_format=drupal_ajax`,
      form({
        view_name: 'products',
        view_display_id: 'page_1',
        view_args: '',
        view_path: '/taxonomy/term/7',
        view_dom_id: '8f2a9c41',
        pager_element: '0',
        'field_color_target_id[12]': '12',
        sort_bef_combine: 'price_ASC',
        _drupal_ajax: '1',
        'ajax_page_state[theme]': 'shop',
        'ajax_page_state[theme_token]': '',
        'ajax_page_state[libraries]': 'system/base,views/views.ajax,core/drupal.dialog.ajax',
      }),
    )
    await submit(
      `${shop}/comment/reply/node/7/comment`,
      [
        ['form_build_id', 'form-x0Yw2mQ3cX1b7_N9s4Q'],
        ['form_id', 'comment_comment_form'],
        ['subject[0][value]', product.name],
        ['comment_body[0][value]', article],
        ['comment_body[0][format]', 'basic_html'],
        ['op', 'Save'],
      ],
      'multipart/form-data',
    )
    await send(
      `${shop}/index.php?option=com_ajax&module=search&method=get&format=json&data[q]=${encodeURIComponent(searches[2])}&${'8f2a9c41d0b7e35f66a1c2d3e4f50617'}=1`,
    )
  },
  'documented-payment': async () => {
    await send(
      'https://pay.example.org/v1/payment_methods',
      form({
        type: 'card',
        'billing_details[name]': people[0].name,
        'billing_details[address][line1]': people[0].street,
        'card[number]': '4242 4242 4242 4242',
        'card[exp_year]': '27',
        guid: '18f',
        payment_user_agent: 'stripe.js/8f2a9c41d0; stripe-js-v3/8f2a9c41d0; card-element',
        referrer: shop,
        time_on_page: '40293',
        key: 'pk_live_x0Yw2mQ3',
        _stripe_account: '',
      }),
    )
    await send('https://pay.example.org/6', {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body: btoa(
        encodeURIComponent(
          JSON.stringify({
            v2: 1,
            id: '18f',
            t: 40.2,
            tag: '4.5.44',
            src: 'js',
            a: { a: { v: 'true' }, b: { v: 'Linux x86_64' } },
            b: { d: location.href, e: document.title },
          }),
        ),
      ),
    })
    await submit(`${shop}/payment/notify?order=1042`, [
      ['mc_gross', '259.80'],
      ['address_street', people[0].street],
      ['payer_email', people[0].email],
      ['item_name1', product.name],
      ['custom', '{"order":1042,"note":"it\'s a gift"}'],
      ['charset', 'windows-1252'],
      ['notify_version', '3.9'],
      ['verify_sign', 'A--8MSCLabuvN8L.-MHjxC9uypBtA.x0Yw2'],
    ])
    await submit(`${shop}/3ds/return`, [
      ['PaRes', `eJzVWFmTosgW/isd${sealed(600)}`],
      ['MD', `${sealed(90)}`],
      [
        'cres',
        base64(
          '{"threeDSServerTransID":"18f","acsTransID":"6f0","messageType":"CRes","messageVersion":"2.2.0","transStatus":"Y"}',
        ),
      ],
      ['threeDSSessionData', 'eyJvcmRlciI6MTA0Mn0'],
    ])
  },
  'documented-addresses-maps': async () => {
    for (const person of people)
      await send(
        `https://maps.example.org/maps/api/place/js/AutocompletionService.GetPredictions?1s${encodeURIComponent(person.street)}&4sen-GB&6m6&1m2&1d53.29&2d-6.15&2m2&1d53.3&2d-6.1&15e3&21m1&2e1&callback=_xdc_._x0yw2m&key=AIzaSyKx0Yw2mQ3&token=40293`,
      )
    await send(
      `https://maps.example.org/geocoding/v5/mapbox.places/${encodeURIComponent(people[0].street)}.json?proximity=-6.15,53.29&bbox=-6.2,53.2,-6.1,53.3&types=address,poi&access_token=pk.eyJ1Ijoic2hvcCJ9.x0Yw2`,
    )
    await pixel(
      'https://maps.example.org/maps/vt?pb=!1m5!1m4!1i15!2i16210!3i10624!4i256!2m3!1e0!2sm!3i687425371!3m17!2sen-GB!3sUS!5e18!12m4!1e68!2m2!1sset!2sRoadmap!12m3!1e37!2m1!1ssmartmaps!12m4!1e26!2m2!1sstyles!2zcC52Om9m!4e0!23i1379903',
    )
    await send(
      `https://maps.example.org/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=roads,${encodeURIComponent('Gebäude (2024)')}&STYLES=&CRS=EPSG%3A3857&BBOX=1291000,6130000,1292000,6131000&WIDTH=256&HEIGHT=256&FORMAT=image/png&CQL_FILTER=${encodeURIComponent("type = 'road' AND name LIKE 'Haupt%' OR width > 3")}`,
    )
    await send(
      'https://maps.example.org/api/interpreter',
      form({
        data: '[out:json][timeout:25];(node["amenity"="cafe"](53.2,-6.2,53.3,-6.1);way["name"~"^St\\. "](if:length()>10);>;);out body;',
      }),
    )
    await send(
      `https://maps.example.org/nominatim/search?format=jsonv2&addressdetails=1&limit=5&q=${encodeURIComponent(people[2].street)}&viewbox=-6.2,53.3,-6.1,53.2`,
    )
  },
  'documented-chat': async () => {
    for (const text of comments)
      await send(
        'https://chat.example.org/messenger/web/conversations/reply',
        form({
          app_id: 'x0yw2mq3',
          v: '3',
          g: '8f2a9c41',
          s: '18fff8a9',
          r: document.referrer,
          platform: 'web',
          'Idempotency-Key': '18f',
          internal: '{"source":"visitor"}',
          is_intersection_booted: 'true',
          user_data: JSON.stringify({ email: people[0].email, anonymous_id: '18f' }),
          blocks: JSON.stringify([{ type: 'paragraph', text }]),
          referer: location.href,
        }),
      )
    await send(
      `https://chat.example.org/v3.6/agent/action/send_event?organization_id=18f`,
      json({
        chat_id: 'R1',
        event: { type: 'message', text: comments[1], custom_id: 'x', recipients: 'all', properties: {} },
      }),
    )
    await pixel(
      `https://chat.example.org/s/hit?url=${encodeURIComponent(location.href)}&_=1718&d=${encodeURIComponent(JSON.stringify({ visitor: people[2], page: document.title }))}`,
    )
  },
  'documented-push': async () => {
    await send(
      `${shop}/push/subscribe`,
      json({
        endpoint:
          'https://fcm.googleapis.com/fcm/send/x0Yw2mQ3cX1:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ-hQMRKRrZuJAEcl7B338qju59zJMjw2DELjzEvxwYv7hH5Ynpc1ODQ0aT4U4OFEeco8ohsN5PjL1iC2dNtk2BAokeMCg2ZXKqpc8FXKmhX94kIxQ',
        expirationTime: null,
        keys: {
          p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
          auth: 'tBHItJI5svbpez7KI4CCXg',
        },
      }),
    )
    await send(
      `${shop}/csp-report`,
      json(
        {
          'csp-report': {
            'document-uri': location.href,
            referrer: '',
            'violated-directive': 'script-src-elem',
            'effective-directive': 'script-src-elem',
            'original-policy':
              "default-src 'self' https: data:; script-src 'self' 'nonce-x0Yw2' 'unsafe-eval' https://cdn.example.org; report-uri /csp-report",
            disposition: 'report',
            'blocked-uri': 'inline',
            'line-number': 12,
            'script-sample': 'window.dataLayer=window.dataLayer||[];fun',
          },
        },
        'application/csp-report',
      ),
    )
    await send(
      `${shop}/reports`,
      json(
        [
          {
            age: 412,
            body: {
              id: 'deprecation',
              message: "'window.webkitStorageInfo' is deprecated. Use 'navigator.storage' instead.",
              sourceFile: 'https://cdn.example.org/a.js?v=1',
              lineNumber: 7,
            },
            type: 'deprecation',
            url: location.href,
            user_agent: navigator.userAgent,
          },
          {
            age: 1,
            type: 'network-error',
            url: location.href,
            body: {
              elapsed_time: 18,
              method: 'POST',
              phase: 'application',
              protocol: 'http/1.1',
              referrer: '',
              type: 'http.error',
              status_code: 400,
            },
          },
        ],
        'application/reports+json',
      ),
    )
  },
  'documented-redirects': async () => {
    const target =
      'https://www.example.net/offer?id=7&ref=mail&utm_source=newsletter&redirect=https%3A%2F%2Fwww.example.org%2F%3Fa%3D1'
    for (const query of [
      `url=${encodeURIComponent(target)}`,
      `u=${btoa(target)}&s=8f2a`,
      `next=${encodeURIComponent('/en/account?tab=orders#o1042')}`,
      `continue=${encodeURIComponent(encodeURIComponent(target))}`,
      `d=${encodeURIComponent(JSON.stringify({ url: target, user: 7 }))}`,
      `returnUrl=~%2FOrders%2FDefault.aspx`,
      `goto=..%2Faccount%2F`,
      `=&=1&&a=&b`,
      `a[0][b]=1&a[0][c][]=2&a[1][b]=&ids[]=1&ids[]=2&x[y.z]=1`,
      `q=${encodeURIComponent(searches[10])}&page=2;sort=price`,
      `filters=price:10..250|color:oak,dark%20oak|!sold`,
      `$filter=name eq 'a'&$top=5`,
      `t=${Date.now()}&_=${Math.random()}`,
    ])
      await send(`${shop}/go?${query}`)
    for (const path of [
      '/en/products/ase-(2-pieces)',
      '/wiki/C++_(language)',
      '/@ann/posts/7',
      '/tags/r&d',
      '/~ann/',
      '/files/a%20b%2Bc%25.pdf',
      '/en/;v=2/item,104.html',
      '/catalog/product/view/id/104/s/a.b',
      '/d/1x0Yw2:mQ3!/edit',
      '/img/640x480,fit,q75/https://cdn.example.org/a.jpg',
      '/cdn-cgi/image/width=640,format=auto/uploads/a%20b.jpg',
      '/_ipx/w_640&f_webp/images/a.jpg',
    ])
      await send(`${shop}${path}`)
  },
  'documented-search': async () => {
    for (const text of searches) {
      await send(
        `${shop}/search?${new URLSearchParams({ q: text, lang: 'en', page: '1', 'filter[price][min]': '10' })}`,
      )
      await send(`${shop}/suggest/${encodeURIComponent(text)}?limit=5`)
    }
  },
  'documented-forms': async () => {
    for (const [index, person] of people.entries()) {
      await submit(
        `${shop}/checkout/address`,
        [
          ...Object.entries(person),
          ['note', comments[index * 2]],
          ['password', `it's "${index}"; OK & #1 -- <3`],
          ['accept', 'on'],
          [
            'g-recaptcha-response',
            `03AFcWeA${sealed(700, index + 3)
              .replaceAll('+', '-')
              .replaceAll('/', '_')}`,
          ],
        ],
        index % 2 ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
      )
      await submit(
        `${shop}/contact`,
        [
          ['subject', product.name],
          ['message', `${comments[index]}\n\n${comments[7 - index]}\n\n--\n${person.name}\n${person.phone}`],
          ['', 'unnamed'],
          ['cf-turnstile-response', `0.${sealed(300, index + 5)}`],
        ],
        index % 2 ? 'text/plain' : 'multipart/form-data',
      )
    }
  },
}

export const use = useOf(libraries)
