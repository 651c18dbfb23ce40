import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createReference } from '#platform/reference/reference'
import { readConfig } from '../config.ts'
import { createMarkets } from '../simulator/markets.ts'
import { createProductClient } from '../simulator/product-client.ts'
import { simulate, type Round } from '../simulator/simulate.ts'
import { readArguments } from './arguments.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage: npm run simulate -- [options]

  --url <address>      the running product; http://127.0.0.1:$PORT
  --token <token>      a bidder's credential, or the service token; read from the data folder by default
  --seed <text>        the same seed and answers give the same traffic; placard
  --rate <number>      offered impressions in a simulated second; 200
  --speed <number>     simulated seconds in a second; 1
  --seconds <number>   how long; until Ctrl+C
  --no-exchanges       leaves creatives to other exchanges

Plays a bidder, and exchanges, against the product over its public calls. Everything it delivers is a simulation: the campaigns are
charged for impressions that nobody saw. Never use it where accounts hold real money.`

/** The command line of the simulator. Exit code 0 at its end, 1 after an error, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      seed: { type: 'string', default: 'placard' },
      rate: { type: 'string', default: '200' },
      speed: { type: 'string', default: '1' },
      seconds: { type: 'string' },
      'no-exchanges': { type: 'boolean', default: false },
    },
  })
  const numbers = [said?.values.rate, said?.values.speed, said?.values.seconds ?? '1'].map(Number)
  if (said === null || numbers.some((value) => !(value > 0))) {
    console.error(USAGE)
    return 2
  }
  const { values } = said
  const config = readConfig(process.env)
  const url = (values.url ?? `http://127.0.0.1:${config.port}`).replace(/\/$/, '')
  const token = values.token ?? config.serviceToken ?? (await storedToken(config.dataDir))
  if (token === null) {
    console.error(`No token: give --token, or set PLACARD_DATA_DIR to the data folder of the product.`)
    return 1
  }
  const leaving = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => leaving.abort())
  console.log(`SIMULATION against ${url}, seed ${values.seed}: no advertisement is shown to anyone. Ctrl+C ends it.`)
  const total = { offers: 0, impressions: 0, clicks: 0 }
  const began = Date.now()
  try {
    await simulate({
      client: createProductClient(url, token, leaving.signal),
      marketOf: createMarkets(createReference(config.dataDir)),
      seed: values.seed,
      rate: Number(values.rate),
      speed: Number(values.speed),
      everyMs: 1000,
      forMs: values.seconds === undefined ? null : Number(values.seconds) * 1000,
      playsExchanges: !values['no-exchanges'],
      run: randomUUID(),
      signal: leaving.signal,
      report: (round) => {
        total.offers += round.offers
        total.impressions += round.impressions
        total.clicks += round.clicks
        console.log(lineOf(round, Math.round((Date.now() - began) / 1000)))
      },
    })
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  }
  console.log(`Simulated ${total.offers} offers, ${total.impressions} impressions, ${total.clicks} clicks.`)
  return 0
}

function lineOf({ campaigns, offers, impressions, clicks, spent, verdicts, refused }: Round, seconds: number): string {
  const money = [...spent].map(([currency, amount]) => `${amount.toFixed(2)} ${currency}`)
  return [
    `${seconds} s`,
    `${campaigns} campaigns`,
    `${offers} offers`,
    `${impressions} impressions`,
    `${clicks} clicks`,
    ...(money.length === 0 ? [] : [`spent ${money.join(' + ')}`]),
    ...(verdicts === 0 ? [] : [`${verdicts} verdicts of exchanges`]),
    ...(refused === 0 ? [] : [`${refused} rows refused`]),
  ].join(' · ')
}

const storedToken = async (dataDir: string): Promise<string | null> =>
  (await readFile(join(dataDir, 'service-token'), 'utf8').catch(() => null))?.trim() ?? null

void runTool(main)
