import { EventEmitter } from './vscode.ts';

interface Item {
  label: string;
  description?: string;
}

/** A list as the editor shows it: the test types, ticks, accepts and hides. */
export class FakeQuickPick {
  readonly #events = {
    value: new EventEmitter<string>(),
    active: new EventEmitter<Item[]>(),
    selection: new EventEmitter<Item[]>(),
    accept: new EventEmitter<void>(),
    button: new EventEmitter<unknown>(),
    hide: new EventEmitter<void>(),
  };
  readonly onDidChangeValue = this.#events.value.event;
  readonly onDidChangeActive = this.#events.active.event;
  readonly onDidChangeSelection = this.#events.selection.event;
  readonly onDidAccept = this.#events.accept.event;
  readonly onDidTriggerItemButton = this.#events.button.event;
  readonly onDidHide = this.#events.hide.event;
  items: Item[] = [];
  selectedItems: Item[] = [];
  title: string | undefined;
  value = '';
  open = false;
  canSelectMany = false;

  #active: Item[] | undefined;

  /** The editor makes the first row the active one, unless another is. */
  get activeItems(): Item[] {
    return this.#active?.filter((item) => this.items.includes(item)) ?? this.items.slice(0, 1);
  }

  set activeItems(items: Item[]) {
    this.#active = items;
  }

  show(): void {
    this.open = true;
  }

  hide(): void {
    this.open = false;
    this.#events.hide.fire();
  }

  dispose(): void {
    this.open = false;
  }

  type(value: string): void {
    this.value = value;
    this.#events.value.fire(value);
  }

  tick(count: number): void {
    this.selectedItems = this.items.slice(0, count);
    this.#events.selection.fire(this.selectedItems);
  }

  /** The editor selects the active row as it accepts, where rows are not ticked. */
  accept(): void {
    if (!this.canSelectMany) this.selectedItems = this.activeItems.slice(0, 1);
    this.#events.accept.fire();
  }
}
