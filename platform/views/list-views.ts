import { sql, type Kysely, type Selectable } from 'kysely'
import type { ListViewState, ViewedList } from '#contract/views'
import { timestamptz } from '#eventstore/postgres/expressions'
import type { AppListViews, Db } from '#migrations/db'

/** A saved view of a list of campaigns. */
export type ViewRow = Readonly<Omit<Selectable<AppListViews>, 'state' | 'list'>> & {
  readonly state: ListViewState
  readonly list: ViewedList
}
export type ViewFields = Pick<ViewRow, 'name' | 'shared' | 'state'>
/** The list of one account or white-label, as one user sees it. */
export type ViewedPlace = { readonly personId: string; readonly list: ViewedList; readonly placeId: string }

/** Own views of a user in a list, and shared views of a list. */
export const MOST_VIEWS = 50
/** How long a removed view can be restored. */
const RESTORED_MINUTES = 60

type Stored = { readonly kind: 'stored'; readonly version: number } | { readonly kind: 'full' | 'changed' }

/** Saved views of lists, and the default of each user. */
export function createListViews(db: Kysely<Db>) {
  const views = (within: Kysely<Db>) => within.selectFrom('app.list_views').selectAll().$castTo<ViewRow>()

  /** Whether one more view fits. One count at a time for each list, until the end of the transaction. */
  async function fits(tx: Kysely<Db>, id: string, { list, placeId, personId }: ViewedPlace, shared: boolean): Promise<boolean> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`list views ${list} ${placeId}`}, 0))`.execute(tx)
    const others = await tx
      .selectFrom('app.list_views')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('list', '=', list)
      .where('place_id', '=', placeId)
      .where('shared', '=', shared)
      .where('removed_at', 'is', null)
      .where('id', '<>', id)
      .$if(!shared, (query) => query.where('person_id', '=', personId))
      .executeTakeFirst()
    return Number(others?.count ?? 0) < MOST_VIEWS
  }

  return {
    most: MOST_VIEWS,

    /** The user's own views and those that are shared, by name, and the user's default among them. */
    async of({ personId, list, placeId }: ViewedPlace): Promise<{ views: readonly ViewRow[]; defaultId: string | null }> {
      const [rows, chosen] = await Promise.all([
        views(db)
          .where('list', '=', list)
          .where('place_id', '=', placeId)
          .where('removed_at', 'is', null)
          .where((eb) => eb.or([eb('shared', '=', true), eb('person_id', '=', personId)]))
          .orderBy((eb) => eb.fn<string>('lower', ['name']))
          .orderBy('id')
          .execute(),
        db
          .selectFrom('app.list_view_defaults')
          .select('view_id')
          .where('person_id', '=', personId)
          .where('list', '=', list)
          .where('place_id', '=', placeId)
          .executeTakeFirst(),
      ])
      return { views: rows, defaultId: rows.find(({ id }) => id === chosen?.view_id)?.id ?? null }
    },

    /** A view, also a removed one that can still be restored. */
    async find(id: string): Promise<ViewRow | null> {
      return (await views(db).where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** Saves a new view. A repeat of the id changes nothing. */
    async add(id: string, place: ViewedPlace, { name, shared, state }: ViewFields, now: string): Promise<Stored> {
      return db.transaction().execute(async (tx) => {
        if (!(await fits(tx, id, place, shared))) return { kind: 'full' }
        await tx
          .insertInto('app.list_views')
          .values({
            id,
            person_id: place.personId,
            list: place.list,
            place_id: place.placeId,
            shared,
            name,
            state: JSON.stringify(state),
            version: 1,
            created_at: now,
            updated_at: now,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute()
        return { kind: 'stored', version: 1 }
      })
    },

    /** Changes a view that is still at the version. */
    async change(
      { id, person_id: personId, list, place_id: placeId }: ViewRow,
      { name, shared, state }: ViewFields,
      version: number,
      now: string,
    ): Promise<Stored> {
      return db.transaction().execute(async (tx) => {
        if (!(await fits(tx, id, { personId, list, placeId }, shared))) return { kind: 'full' }
        const { numUpdatedRows } = await tx
          .updateTable('app.list_views')
          .set({ name, shared, state: JSON.stringify(state), version: version + 1, updated_at: now })
          .where('id', '=', id)
          .where('version', '=', version)
          .where('removed_at', 'is', null)
          .executeTakeFirst()
        return numUpdatedRows === 1n ? { kind: 'stored', version: version + 1 } : { kind: 'changed' }
      })
    },

    /** False for a view that is removed already. */
    async remove(id: string, now: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.list_views')
        .set({ removed_at: timestamptz(now) })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Restores a removed view as it was, with its author, its defaults and its version. */
    async restore({ id, person_id: personId, list, place_id: placeId, shared, version }: ViewRow): Promise<Stored> {
      return db.transaction().execute(async (tx) => {
        if (!(await fits(tx, id, { personId, list, placeId }, shared))) return { kind: 'full' }
        const { numUpdatedRows } = await tx
          .updateTable('app.list_views')
          .set({ removed_at: null })
          .where('id', '=', id)
          .where('removed_at', 'is not', null)
          .executeTakeFirst()
        return numUpdatedRows === 1n ? { kind: 'stored', version } : { kind: 'changed' }
      })
    },

    async chooseDefault({ personId, list, placeId }: ViewedPlace, viewId: string | null): Promise<void> {
      if (viewId === null)
        await db
          .deleteFrom('app.list_view_defaults')
          .where('person_id', '=', personId)
          .where('list', '=', list)
          .where('place_id', '=', placeId)
          .execute()
      else
        await db
          .insertInto('app.list_view_defaults')
          .values({ person_id: personId, list, place_id: placeId, view_id: viewId })
          .onConflict((conflict) => conflict.columns(['person_id', 'list', 'place_id']).doUpdateSet({ view_id: viewId }))
          .execute()
    },

    /** Removes for good what can no longer be restored. */
    async purge(now: string): Promise<void> {
      await db
        .deleteFrom('app.list_views')
        .where('removed_at', '<', sql<Date>`${timestamptz(now)} - make_interval(mins => ${RESTORED_MINUTES})`)
        .execute()
    },
  }
}
export type ListViews = ReturnType<typeof createListViews>
