/** An object with some members replaced for its callers; its own methods still see the original members. */
export function instead<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get: (whole, name) => {
      const value: unknown = Reflect.get(name in members ? members : whole, name);
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value;
    },
  });
}
