import { run } from '../clients.ts'
import { inBrowser, submit, type Visit } from '../visits.ts'
import { administrator } from './debian-applications.ts'
import { customers, posts, searches } from './everyday-texts.ts'

/** Somebody installs WordPress, writes, changes settings and puts pictures there; others read, search and comment; programs post too. */
export const useWordPress: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/wp-admin/install.php?step=1`)
    await page.fill('#weblog_title', "Siobhán's garden & kitchen")
    await page.fill('#user_login', administrator.name)
    await page.fill('#pass1', administrator.password)
    await page.fill('#admin_email', 'editor@example.org')
    await submit(page, '#submit')
    await page.goto(`${origin}/wp-login.php`)
    await page.fill('#user_login', administrator.name)
    await page.fill('#user_pass', administrator.password)
    await submit(page, '#wp-submit')
    await page.goto(`${origin}/wp-admin/post-new.php`)
    await page.waitForFunction(() =>
      Reflect.get(globalThis, 'wp')?.data?.select('core/editor')?.getCurrentPostId(),
    )
    await page.evaluate(write, posts)
    await page.goto(`${origin}/wp-admin/options-general.php`)
    await page.fill('#blogdescription', "It's about tomatoes, cats & cooking – since 1998")
    await submit(page, '#submit')
    await page.goto(`${origin}/wp-admin/profile.php`)
    await page.fill('#first_name', 'Siobhán')
    await page.fill('#last_name', "O'Connor")
    await page.fill('#description', `${posts[9]?.text}`)
    await page.fill('#url', 'https://www.example.com/~siobhan/?from=blog&lang=en')
    await submit(page, '#submit')
    await page.goto(
      `${origin}/wp-admin/edit.php?s=${encodeURIComponent("What's & where")}&post_status=all&post_type=post&action=-1&m=0&cat=0&paged=1&action2=-1`,
    )
    await page.goto(`${origin}/wp-admin/plugins.php`)
    await page.goto(`${origin}/wp-admin/edit-tags.php?taxonomy=category`)
    await page.fill('#tag-name', 'Fruit & vegetables')
    await page.fill('#tag-description', "All that one can eat; see also 'Recipes'.")
    await page.locator('#submit').click()
    await page.waitForResponse((reply) => reply.url().includes('admin-ajax.php'))
    await page.goto(`${origin}/wp-admin/customize.php?return=%2Fwp-admin%2Fthemes.php`).catch(() => undefined)
    await page.goto(`${origin}/wp-admin/site-health.php`)
  })
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    for (const words of searches)
      await page.goto(`${origin}/?s=${encodeURIComponent(words).replaceAll('%20', '+')}`)
    for (const [index, { text, author }] of posts.slice(0, 8).entries()) {
      await page.goto(`${origin}/?p=1`)
      await page.fill('#comment', text)
      await page.fill('#author', author)
      await page.fill('#email', `reader${index}@example.com`)
      await page.fill('#url', 'https://example.net/blog?id=7&x=a+b')
      await submit(page, '#submit')
      await page.goto('about:blank')
    }
    await page.goto(`${origin}/?feed=rss2`)
  })
  await run('/usr/bin/python3', [
    '-c',
    remoteCalls,
    origin,
    administrator.name,
    administrator.password,
    JSON.stringify({ posts, customers }),
  ])
}

/** In the page of WordPress's editor: writes posts as it does, and a picture, a page and a comment. */
async function write(texts: typeof posts): Promise<void> {
  const { apiFetch, data, blocks } = Reflect.get(globalThis, 'wp')
  for (const [index, { title, text }] of texts.entries()) {
    const paragraphs = text.split('\n\n').map((part: string) =>
      blocks.createBlock(part.includes('```') ? 'core/code' : 'core/paragraph', {
        content: part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>'),
      }),
    )
    if (index === 0) {
      data.dispatch('core/block-editor').resetBlocks(paragraphs)
      data.dispatch('core/editor').editPost({ title, status: 'publish', excerpt: text.slice(0, 80) })
      await data.dispatch('core/editor').savePost()
    } else {
      await apiFetch({
        path: '/wp/v2/posts',
        method: 'POST',
        data: {
          title,
          content: blocks.serialize(paragraphs),
          status: index % 2 === 0 ? 'publish' : 'draft',
          excerpt: text.slice(0, 120),
        },
      })
      await apiFetch({ path: `/wp/v2/posts/${index + 3}?context=edit&_locale=user` }).catch(() => undefined)
    }
  }
  const picture = new FormData()
  picture.append(
    'file',
    new File([new Uint8Array([71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 0, 0, 0, 59])], "mary's cat & dog.gif", {
      type: 'image/gif',
    }),
  )
  await apiFetch({ path: '/wp/v2/media', method: 'POST', body: picture }).catch(() => undefined)
  await apiFetch({
    path: '/wp/v2/pages',
    method: 'POST',
    data: {
      title: 'Contact & imprint',
      content:
        '<!-- wp:html --><p><a href="mailto:siobhan@example.org?subject=Hello">Write to me</a></p><iframe src="https://www.example.org/map?ll=52.5,-0.1" width="400"></iframe><!-- /wp:html -->',
      status: 'publish',
    },
  })
  await apiFetch({
    path: `/wp/v2/search?search=${encodeURIComponent("o'connor & sons")}&per_page=20&type=post&_locale=user`,
  })
  await apiFetch({
    path: '/wp/v2/comments',
    method: 'POST',
    data: { post: 1, content: "That's <em>exactly</em> what I meant; thanks!" },
  })
}

/** What desktop editors send by XML-RPC. */
const remoteCalls = `
import json, sys, xmlrpc.client, datetime
origin, name, password, texts = sys.argv[1:]
texts = json.loads(texts)
server = xmlrpc.client.ServerProxy(origin + '/xmlrpc.php')
def attempt(call, *arguments):
    try: return call(*arguments)
    except Exception as error: print(error)
attempt(server.system.listMethods)
attempt(server.wp.getUsersBlogs, name, password)
for post in texts['posts'][:6]:
    attempt(server.wp.newPost, 1, name, password, {'post_type': 'post', 'post_status': 'draft', 'post_title': post['title'], 'post_content': '<p>' + post['text'] + '</p>', 'post_date': datetime.datetime(2026, 1, 1), 'terms_names': {'post_tag': ["q&a", "don't"]}})
attempt(server.wp.uploadFile, 1, name, password, {'name': 'notes.txt', 'type': 'text/plain', 'bits': xmlrpc.client.Binary(texts['posts'][1]['text'].encode())})
attempt(server.wp.newComment, 1, name, password, 1, {'content': texts['customers'][0]['note'], 'author': texts['customers'][0]['lastName']})
attempt(server.metaWeblog.getRecentPosts, 1, name, password, 5)
attempt(server.pingback.ping, 'https://www.example.com/?p=7&x=1', origin + '/?p=1')
`
