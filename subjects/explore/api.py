"""What the servers of the applications answer: calls on tables of a database."""
import sqlite3


class NotThere(Exception):
    """What was asked for does not exist."""


class Application:
    """A database with the tables of an application, with rows in them unless it begins empty."""

    tables = ""
    rows = ""

    def __init__(self, data):
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.row_factory = sqlite3.Row
        self.database.executescript(self.tables + (self.rows if data == "full" else ""))

    def all(self, statement, *values):
        return [dict(row) for row in self.database.execute(statement, values)]

    def one(self, statement, *values):
        found = self.all(statement, *values)
        if not found:
            raise NotThere("there is no such row")
        return found[0]

    def change(self, statement, *values):
        return self.database.execute(statement, values).lastrowid

    def call(self, method, path, query, body):
        raise NotImplementedError


class Attendance(Application):
    tables = """create table attendee (id integer primary key, name text, email text, department text, checkedin integer);
        create table visit (attendee integer, day text, note text);"""
    rows = """insert into attendee values (6451, 'Fred', 'fred@cs.example', 'CS', 1), (4358, 'Joe', 'joe@imf.example', 'IMF', 0),
        (4711, 'Kim', 'kim@cs.example', 'CS', 0), (5002, 'Lee', 'lee@bio.example', 'BIO', 1), (5003, 'Mo', 'mo@bio.example', 'BIO', 0);
        insert into visit values (6451, '2024-01-15', 'late'), (4358, '2024-01-15', ''), (5002, '2024-02-01', 'talk');"""

    def shown(self, row):
        return {**row, "checkedin": bool(row["checkedin"])}

    def call(self, method, path, query, body):
        match method, path:
            case "GET", ["attendees"]:
                wanted = f"%{query.get('query', '')}%"
                page = max(0, int(query.get("page", 0)))
                rows = self.all("select * from attendee where name like ? order by id limit 3 offset ?", wanted, 3 * page)
                return [self.shown(row) for row in rows]
            case "POST", ["attendees"]:
                number = self.change("insert into attendee (name, email, department, checkedin) values (?, ?, ?, 0)", body["name"], body["email"], body["department"])
                return self.shown(self.one("select * from attendee where id = ?", number))
            case "GET", ["attendees", number]:
                row = self.shown(self.one("select * from attendee where id = ?", number))
                return {**row, "visits": self.all("select day, note from visit where attendee = ? order by day", number)}
            case "POST", ["attendees", number, "checkin"]:
                self.change("update attendee set checkedin = 1 - checkedin where id = ?", number)
                return self.shown(self.one("select * from attendee where id = ?", number))
            case "DELETE", ["attendees", number]:
                self.one("select * from attendee where id = ?", number)
                self.change("delete from attendee where id = ?", number)
                return {"deleted": int(number)}
        raise NotThere("there is no such call")


class News(Application):
    tables = """create table item (id integer primary key, title text, text text, day text, section text, seen integer, link text);
        create table comment (id integer primary key, item integer, author text, text text);"""
    rows = """insert into item values (1, 'Rain', 'It rains.', '2024-01-02', 'weather', 0, null), (2, 'Sun', 'It shines.', '2024-01-03', 'weather', 1, null),
        (3, 'Goal', 'Two to one.', '2024-01-04', 'sports', 0, 'https://example.org/goal'), (4, 'Vote', 'They vote.', '2024-01-05', 'politics', 0, null);
        insert into comment (item, author, text) values (1, 'Ann', 'Again?'), (1, 'Bob', 'Yes.'), (3, 'Cid', 'Well played!'), (4, 'Dee', 'Go!');"""

    def shown(self, row):
        return {**row, "seen": bool(row["seen"])}

    def call(self, method, path, query, body):
        match method, path:
            case "GET", ["news"]:
                return [self.shown(row) for row in self.all("select * from item order by id")]
            case "GET", ["news", ("latest" | "oldest") as which]:
                order = "desc" if which == "latest" else "asc"
                return [self.shown(row) for row in self.all(f"select * from item order by day {order} limit 2")]
            case "POST", ["news", "read"]:
                self.change("update item set seen = 1 where id = ?", body["id"])
                return {"unread": self.one("select count(*) as count from item where seen = 0")["count"]}
            case "GET", ["comments"]:
                return self.all("select id, author, text from comment where item = ? order by id", query["newsId"])
            case "POST", ["comments"]:
                number = self.change("insert into comment (item, author, text) values (?, ?, ?)", body["newsId"], body["author"], body["text"])
                return self.one("select id, author, text from comment where id = ?", number)
        raise NotThere("there is no such call")


class Resume(Application):
    tables = """create table application (id text primary key, name text, stage text, score integer);
        create table comment (application text, author text, text text);
        create table note (application text, number integer, text text);"""
    rows = """insert into application values ('a17', 'Ann', 'open', 3), ('b23', 'Bob', 'invited', 5), ('c31', 'Cid', 'open', 1);
        insert into comment values ('a17', 'Kim', 'good'), ('a17', 'Lee', 'call her'), ('b23', 'Kim', 'better'), ('c31', 'Lee', 'no');
        insert into note values ('a17', 11, 'degree'), ('b23', 12, 'talk'), ('b23', 14, 'visit'), ('c31', 15, 'letter');"""

    def call(self, method, path, query, body):
        match method, path:
            case "GET", ["applications"]:
                return self.all("select id, name, stage from application order by id")
            case "GET", ["applications", number]:
                row = self.one("select * from application where id = ?", number)
                comments = self.all("select author, text from comment where application = ?", number)
                return {**row, "comments": comments, "values": self.all("select number, text from note where application = ?", number)}
            case "POST", ["applications", number, "comments"]:
                self.one("select * from application where id = ?", number)
                self.change("insert into comment values (?, ?, ?)", number, body["author"], body["text"])
                return self.all("select author, text from comment where application = ?", number)
            case "PUT", ["applications", number, "stage"]:
                self.change("update application set stage = ? where id = ?", body["stage"], number)
                return self.one("select id, name, stage from application where id = ?", number)
        raise NotThere("there is no such call")


class Files(Application):
    tables = """create table entry (hash text primary key, name text, parent text, kind text, size integer);"""
    rows = """insert into entry values ('root', 'Home', null, 'folder', 0), ('l1_t', 'Texts', 'root', 'folder', 0), ('l1_p', 'Pictures', 'root', 'folder', 0),
        ('l2_l', 'Letters', 'l1_t', 'folder', 0), ('f1', 'plan.txt', 'l1_t', 'file', 120), ('f2', 'sea.png', 'l1_p', 'file', 40960), ('f3', 'dear.txt', 'l2_l', 'file', 9);"""

    def call(self, method, path, query, body):
        match method, path:
            case "GET", ["folders", number]:
                if number == "root" and not self.all("select 1 from entry where hash = 'root'"):
                    return {"hash": "root", "name": "Home", "parent": None, "entries": []}
                row = self.one("select hash, name, parent from entry where hash = ? and kind = 'folder'", number)
                return {**row, "entries": self.all("select hash, name, kind, size from entry where parent = ? order by name", number)}
            case "POST", ["folders"]:
                number = f"n{self.one('select coalesce(max(rowid), 0) as last from entry')['last']}"
                self.change("insert into entry values (?, ?, ?, 'folder', 0)", number, body["name"], body["parent"])
                return self.one("select hash, name, kind, size from entry where hash = ?", number)
            case "PUT", ["entries", number]:
                self.change("update entry set name = ? where hash = ?", body["name"], number)
                return self.one("select hash, name, kind, size from entry where hash = ?", number)
            case "DELETE", ["entries", number]:
                self.one("select * from entry where hash = ?", number)
                self.change("delete from entry where hash = ? or parent = ?", number, number)
                return {"deleted": number}
        raise NotThere("there is no such call")


APPLICATIONS = {"attendance": Attendance, "news": News, "resume": Resume, "files": Files}
