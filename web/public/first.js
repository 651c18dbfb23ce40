// Runs before the first paint and long before the application. A separate file because the CSP forbids inline scripts.
;(() => {
  // Avoids a flash of the wrong theme. The brand's colours are in a stylesheet of the page.
  const chosen = localStorage.getItem('DSP_THEME') ?? 'system'
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const { documentElement: page } = document
  page.lang = localStorage.getItem('DSP_LANGUAGE') ?? page.dataset.language ?? 'en'

  // Prefetches while the application loads: every page needs the session, the form its campaign and the list its rows.
  // web/session/early.ts takes the answers; its test compares these requests with the application's.
  // The build lists the roles that read campaigns on the script's element (web/session/early-page.ts).
  const readers = document.currentScript?.dataset.campaignReaders?.split(' ') ?? []
  const token = localStorage.getItem('DSP_AUTH_TOKEN')
  if (token === null || !(Number(localStorage.getItem('DSP_AUTH_TOKEN_EXPIRES_AT')) - Date.now() > 10_000)) return
  const campaign = /^\/campaign\/edit\/([^/]+)$/.exec(location.pathname)?.[1]
  const rows = location.pathname === '/campaigns' && location.search === '' && readsCampaigns(token)
  const ask = (method, url, body) => {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const answer = fetch(url, { method, headers, body })
    answer.catch(() => undefined)
    return { method, url, body, token, answer }
  }
  window.earlyRequests = [
    ask('GET', '/v1/user/me'),
    ...(campaign === undefined ? [] : [ask('GET', `/v1/campaign/${campaign}`)]),
    ...(rows ? [ask('POST', '/v1/campaign/list/v2', firstRows())] : []),
  ]

  /** Without the right, the request would only be refused and logged in the console. */
  function readsCampaigns(token) {
    try {
      const { roles } = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
      return roles.some((role) => readers.includes(role))
    } catch {
      return false
    }
  }

  /** The list of a URL without parameters: the last seven days, the first ten rows, every status. */
  function firstRows() {
    const day = (back) => {
      const now = new Date()
      const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back)
      return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
    }
    return JSON.stringify({
      from_date: day(6),
      to_date: day(0),
      page: 0,
      pageSize: 10,
      name: '',
      status_filter: 50,
      space_id: localStorage.getItem('DSP_SPACE_ID'),
      sort_by_field: 'status',
      included_metrics: [
        'spent',
        'impressions',
        'conversions',
        'clicks',
        'ctr',
        'cpm',
        'cpc',
        'cvr',
        'cpa',
        'unconfirmed_conversions',
      ],
    })
  }
})()
