import { Client } from 'pg'

/** One process at a time leads; the others ask again now and then. Held by a connection, so it is free the moment its holder dies. */
export function createLeadership(url: string, name: string) {
  let client: Client | null = null
  let leads = false

  async function connected(): Promise<Client> {
    if (client !== null) return client
    const fresh = new Client({ connectionString: url, application_name: `placard-${name}` })
    // A broken connection has lost the lock: forget it and ask again with a new one.
    fresh.on('error', () => {
      if (client === fresh) client = null
      leads = false
    })
    await fresh.connect()
    client = fresh
    return fresh
  }

  return {
    async leads(): Promise<boolean> {
      if (leads && client !== null) return true
      const { rows } = await (
        await connected()
      ).query<{ won: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 1)) as won', [`leader ${name}`])
      leads = rows[0]?.won === true
      return leads
    },
    async stop(): Promise<void> {
      const held = client
      client = null
      leads = false
      await held?.end().catch(() => undefined)
    },
  }
}
