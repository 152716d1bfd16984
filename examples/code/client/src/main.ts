import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArguments } from './arguments.ts'
import { Board } from './board.ts'
import { FeedError, fetchFrames, waitSeconds } from './feed.ts'
import { decodeFrames } from './frame.mjs'
import { Pager, type Page } from './pager.ts'
import { renderBoard } from './render.ts'

const colour = process.stdout.isTTY === true

async function show(file: string): Promise<void> {
  const board = new Board()
  for (const frame of decodeFrames(await readFile(file, 'utf8'))) board.add(frame)
  console.log(renderBoard(board, { colour }))
}

async function watch(base: string): Promise<never> {
  const board = new Board()
  const pager = new Pager()
  let failures = 0
  for (;;) {
    try {
      const pages: Page[] = []
      for (const frame of await fetchFrames(base, board.lastSeq)) {
        board.add(frame)
        pages.push(...pager.receive(frame, Date.now()))
      }
      pages.push(...pager.due(Date.now()))
      failures = 0
      console.log(renderBoard(board, { colour }))
      for (const page of pages) console.log(`calling the ${page.steward} steward: ${page.kiln} ${page.code}`)
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      failures += 1
      console.error(error.message)
    }
    await wait(waitSeconds(failures) * 1000)
  }
}

try {
  const command = parseArguments(process.argv.slice(2))
  await (command.kind === 'show' ? show(command.file) : watch(command.base))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
