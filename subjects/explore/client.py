"""A client of an application beside this file: asks its server for everything, as its page would.

Usage: python3 client.py APPLICATION URL
"""
import json
import sys
import urllib.request

CALLS = {
    "attendance": [
        ("GET", "attendees?page=0&query="), ("GET", "attendees?page=1&query="), ("GET", "attendees?page=0&query=Jo"),
        ("GET", "attendees/6451"), ("GET", "attendees/4358"), ("GET", "attendees/4711"), ("POST", "attendees/4358/checkin"), ("POST", "attendees/6451/checkin"),
        ("POST", "attendees", {"name": "Nia", "email": "nia@cs.example", "department": "CS"}), ("POST", "attendees", {"name": "Oz", "email": "", "department": "BIO"}),
        ("DELETE", "attendees/5002"), ("DELETE", "attendees/5003"),
    ],
    "news": [
        ("GET", "news"), ("GET", "news/latest"), ("GET", "news/oldest"), ("GET", "comments?newsId=1"), ("GET", "comments?newsId=2"), ("GET", "comments?newsId=3"),
        ("POST", "news/read", {"id": 1}), ("POST", "news/read", {"id": 3}), ("POST", "comments", {"newsId": 1, "author": "Eve", "text": "Oh!"}),
        ("POST", "comments", {"newsId": 4, "author": "", "text": "Hm."}), ("GET", "news"),
    ],
    "resume": [
        ("GET", "applications"), ("GET", "applications/a17"), ("GET", "applications/b23"), ("GET", "applications/c31"),
        ("POST", "applications/a17/comments", {"author": "Mo", "text": "yes"}), ("POST", "applications/b23/comments", {"author": "Mo", "text": "no"}),
        ("PUT", "applications/a17/stage", {"stage": "invited"}), ("PUT", "applications/b23/stage", {"stage": "hired"}), ("PUT", "applications/c31/stage", {"stage": "rejected"}),
        ("GET", "applications"), ("GET", "applications/b23"),
    ],
    "files": [
        ("GET", "folders/root"), ("GET", "folders/l1_t"), ("GET", "folders/l1_p"), ("GET", "folders/l2_l"), ("POST", "folders", {"name": "New", "parent": "root"}),
        ("POST", "folders", {"name": "Old", "parent": "l1_t"}), ("PUT", "entries/f1", {"name": "plans.txt"}), ("PUT", "entries/l2_l", {"name": "Mail"}),
        ("GET", "folders/n7"), ("DELETE", "entries/f2"), ("DELETE", "entries/f3"), ("GET", "folders/root"),
    ],
}


def main():
    name, url = sys.argv[1:]
    for method, path, *body in CALLS[name]:
        data = json.dumps(body[0]).encode() if body else None
        request = urllib.request.Request(f"{url}api/{path}", data, {"Content-Type": "application/json"}, method=method)
        urllib.request.urlopen(request).read()


main()
