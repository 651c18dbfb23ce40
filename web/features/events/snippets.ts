/** Code that advertisers copy into their pages and servers. */

/**
 * For the pages. It remembers the query of the landing page for the visit, because the tags of a campaign stand in the first address
 * alone; nothing else is kept, and no cookie is set.
 */
export const pixelSnippet = (origin: string, key: string): string => `<script>
  function placard(name, data) {
    var tags = sessionStorage.getItem('placard')
    var arrived = document.referrer.indexOf(location.origin) !== 0
    if (tags === null || arrived) tags = location.search
    sessionStorage.setItem('placard', tags)
    var url = location.origin + location.pathname + tags
    var event = Object.assign({ key: '${key}', name: name, url: url }, data)
    new Image().src = '${origin}/v1/pixel.gif?' + new URLSearchParams(event)
  }
  placard('page_view')
</script>`

/** A conversion with its value and the id under which it counts once. */
export const conversionSnippet = `placard('purchase', { value: 49.9, id: 'order-1042', plan: 'gold' })`

/** The same event, reported by a server. */
export const serverSnippet = (origin: string, spaceId: string): string => `curl ${origin}/v1/events \\
  -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' \\
  -d '{
    "space_id": "${spaceId}",
    "events": [{
      "name": "purchase", "id": "order-1042", "value": 49.9,
      "url": "https://shop.example/thanks?utm_campaign=Summer",
      "custom_parameters": {"plan": "gold"}
    }]
  }'`
