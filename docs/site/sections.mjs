// The sections of the documentation site: addresses of pages in the order of the sidebar. test/docs-site.spec.ts checks that every page is
// in one of them, or is linked to.
export const GUIDES = ['getting-started', 'creatives', 'html-banners', 'audiences', 'reports', 'statuses', 'billing', 'account', 'moderation']

const page = (text, link) => ({ text, link })

/** The sidebar in English. `titleOf` returns the title of a page by its address. */
export const sections = (titleOf) => [
  {
    text: 'Tutorials',
    items: ['advertiser', 'moderator', 'accountant', 'auditor', 'administrator', 'operator'].map((name) =>
      page(titleOf(`/tutorials/${name}`), `/tutorials/${name}`),
    ),
  },
  { text: 'Guides', items: GUIDES.map((name) => page(titleOf(`/help/en/${name}`), `/help/en/${name}`)) },
  {
    text: 'Operate',
    items: [
      page('Operating', '/operating'),
      page('Observing', '/observing'),
      page('Alerts', '/alerts'),
      page('Backups', '/backups'),
      page('Extensions', '/extensions'),
      page('Upgrading', '/upgrading'),
      page('Single sign-on and directories', '/single-sign-on'),
      page('Payments', '/payments'),
      page('Notifications', '/notifications'),
      page('Performance', '/performance'),
      page('Growth', '/growth'),
    ],
  },
  {
    text: 'Explanations',
    items: [
      page('The event store', '/event-store'),
      page('Read models', '/read-models'),
      page('Proof', '/proof'),
      page('Security', '/security'),
      page('Personal data', '/privacy'),
      page('Money', '/money'),
      page('Invoices', '/invoices'),
      page('Delivery', '/delivery'),
      page('Estimates', '/estimates'),
      page('Audiences', '/audiences'),
      page('Tracked events', '/events'),
      page('The application', '/web'),
      page('Testing', '/testing'),
      page('Where is what', '/where'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Calls of the API', '/reference/api'),
      page('Rights and roles', '/reference/rights'),
      page('Errors', '/reference/errors'),
      page('Settings', '/reference/settings'),
      page('Types of events', '/reference/events'),
      page('The rules', '/spec/README'),
      page('Fine print', '/spec/fine-print'),
      page('Decisions', '/spec/decisions'),
      page('Licences of this site', '/reference/licences'),
    ],
  },
]

/** The sidebar in Russian, which has the guides. */
export const russianSections = (titleOf) => [
  { text: 'Руководства', items: GUIDES.map((name) => page(titleOf(`/ru/${name}`), `/ru/${name}`)) },
]
