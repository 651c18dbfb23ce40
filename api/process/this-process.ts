import { hostname } from 'node:os'

/** Characters of a host name that are shown: the name of a connection to PostgreSQL has 63 in all. */
const MOST_OF_HOST = 36

/** The machine of this process, as operators see it. */
export const HOST = hostname().slice(0, MOST_OF_HOST)
/** This process among those of all machines, as operators see it. */
export const PROCESS_NAME = `${HOST}:${process.pid}`
