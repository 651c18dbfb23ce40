/** A sample bid request with every field that rules can test. */
export const SAMPLE_REQUEST = JSON.stringify(
  {
    id: 'request-1',
    imp: [
      {
        id: '1',
        banner: { w: 300, h: 250, pos: 1 },
        instl: 0,
        bidfloor: 0.6,
        displaymanager: 'Google Ad Manager',
      },
    ],
    app: { id: 'app-1', name: 'Example', bundle: 'com.example', content: { language: 'en' } },
    device: { os: 'Android', make: 'Samsung', model: 'SM-S911B', connectiontype: 2, ip: '10.0.0.7' },
    user: { id: 'user-1', ext: { visits_7d: 2, impressions_1d: 3, clicks_total: 0 } },
    ext: { exchange: 'google' },
  },
  null,
  2,
)
