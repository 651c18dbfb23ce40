import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './product-process.ts'
import { eventually } from './product.ts'

/** Why specs with alerts cannot run; null when they can. */
export const NO_PROMETHEUS =
  spawnSync('prometheus', ['--version']).error === undefined ? null : 'needs prometheus: apt-get install prometheus'

export type Alert = { readonly state: 'pending' | 'firing'; readonly labels: Readonly<Record<string, string>> }

type Options = {
  readonly folder: string
  readonly port: number
  /** `host:port` of each process. */
  readonly targets: readonly string[]
  /** Token of /metrics. */
  readonly token: string
}

/** Prometheus with the rules of deploy/alerts.yml, which scrapes every two seconds. */
export async function startPrometheus({ folder, port, targets, token }: Options) {
  await mkdir(folder)
  const config = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [join(root, 'deploy/alerts.yml')],
    scrape_configs: [{ job_name: 'placard', authorization: { credentials: token }, static_configs: [{ targets: [...targets] }] }],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return ((await response.json()) as { readonly data: T }).data
  }
  const alerts = async (): Promise<readonly Alert[]> => (await ask<{ readonly alerts: readonly Alert[] }>('alerts')).alerts
  const firing = async (): Promise<readonly Alert[]> => (await alerts()).filter(({ state }) => state === 'firing')
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (ready) => ready,
  )
  return {
    firing,
    /** The first of these alerts that fires, with its labels. */
    async waitFor(names: readonly string[], labels: Readonly<Record<string, string>> = {}, ms = 180_000): Promise<Alert> {
      const isMeant = (alert: Alert) =>
        names.includes(alert.labels['alertname'] ?? '') &&
        Object.entries(labels).every(([name, value]) => alert.labels[name] === value)
      const found = await eventually(firing, (all) => all.some(isMeant), ms)
      const alert = found.find(isMeant)
      if (alert === undefined) throw new Error('the alert is gone')
      return alert
    },
    /** Waits until nothing fires any more. */
    quiet: (ms = 420_000) => eventually(firing, (all) => all.length === 0, ms),
    async stop(): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
export type TestPrometheus = Awaited<ReturnType<typeof startPrometheus>>
